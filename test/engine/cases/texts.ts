/** Fifteen kinds of text that pass through a coding session; written for this test. */
import { readFileSync } from "node:fs";

const read = (path: string, from = 0, length = 6_000) => readFileSync(path, "utf8").slice(from, from + length);

const python = `import argparse
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Inventory:
    """Goods by name, with a count for each."""

    items: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, count: int = 1) -> None:
        if count <= 0:
            raise ValueError(f"count must be positive, got {count}")
        self.items[name] = self.items.get(name, 0) + count

    def total(self) -> int:
        return sum(self.items.values())


def load(path: Path) -> Inventory:
    inventory = Inventory()
    with path.open(encoding="utf-8") as stream:
        for number, line in enumerate(stream, start=1):
            name, _, count = line.strip().partition(",")
            if not name:
                continue
            try:
                inventory.add(name, int(count or "1"))
            except ValueError as error:
                print(f"{path}:{number}: {error}")
    return inventory


def main() -> int:
    parser = argparse.ArgumentParser(description="Count the goods in a list")
    parser.add_argument("path", type=Path)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    inventory = load(options.path)
    if options.verbose:
        for name in sorted(inventory.items):
            print(f"{name:>20} {inventory.items[name]:6d}")
    print(inventory.total())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
`;

const go = `package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrMissing is returned for a key that nobody set.
var ErrMissing = errors.New("store: no such key")

type entry struct {
	value   []byte
	expires time.Time
}

type Store struct {
	mu      sync.RWMutex
	entries map[string]entry
	now     func() time.Time
}

func New() *Store {
	return &Store{entries: make(map[string]entry), now: time.Now}
}

func (s *Store) Get(ctx context.Context, key string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("get %q: %w", key, err)
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	found, ok := s.entries[key]
	if !ok || (!found.expires.IsZero() && s.now().After(found.expires)) {
		return nil, ErrMissing
	}
	return append([]byte(nil), found.value...), nil
}

func (s *Store) Set(key string, value []byte, ttl time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := entry{value: value}
	if ttl > 0 {
		next.expires = s.now().Add(ttl)
	}
	s.entries[key] = next
}
`;

const diff = `diff --git a/src/cart.ts b/src/cart.ts
index 3f2a9c1..b7d40ee 100644
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -12,9 +12,11 @@ export class Cart {
   private readonly lines: Line[] = [];
 
   add(product: Product, count = 1): void {
-    this.lines.push({ product, count });
+    const known = this.lines.find((line) => line.product.id === product.id);
+    if (known) known.count += count;
+    else this.lines.push({ product, count });
   }
 
-  total(): number {
-    return this.lines.reduce((sum, line) => sum + line.product.price * line.count, 0);
+  total(discount = 0): number {
+    const sum = this.lines.reduce((all, line) => all + line.product.price * line.count, 0);
+    return Math.round(sum * (1 - discount) * 100) / 100;
   }
 }
diff --git a/test/cart.test.ts b/test/cart.test.ts
index 11aa0b2..9c2e6d4 100644
--- a/test/cart.test.ts
+++ b/test/cart.test.ts
@@ -5,3 +5,10 @@ test("an empty cart costs nothing", () => {
   expect(new Cart().total()).toBe(0);
 });
+
+test("the same product twice is one line", () => {
+  const cart = new Cart();
+  cart.add(pen);
+  cart.add(pen, 2);
+  expect(cart.total(0.1)).toBe(5.4);
+});
`;

const listing = ["src/", "  engine/", "    turn.ts", "    modelCall.ts", "    toolCalls.ts", "    History.ts", "  shared/", "    messages.ts", "    contracts.ts", "  tools/", "    ToolRegistry.ts", "    resultBudget.ts", "test/", "  engine/", "    turn.test.ts", "    history.test.ts", "  support/", "    drain.ts", "package.json", "package-lock.json", "tsconfig.json", "README.md", "docs/", "  guide.md", "  events.md", "  tools.md"].join("\n");

const log = Array.from({ length: 40 }, (_, n) => `2026-11-${String((n % 28) + 1).padStart(2, "0")}T08:${String(n).padStart(2, "0")}:17.${100 + n}Z INFO  [worker-${n % 4}] request id=${4711 + n * 13} path=/api/v2/items/${n * 7} status=${n % 9 ? 200 : 503} took=${12 + n}ms`).join("\n");

const base64 = Buffer.from(Uint8Array.from({ length: 3_000 }, (_, n) => (n * 7919 + (n * n) % 251) % 256)).toString("base64");

const zh = `这个函数负责把用户输入的命令拆成单词，然后逐个检查它们是否在允许的列表里。如果命令里有引号、管道或者重定向，我们就不再猜测，而是直接询问用户。测试表明，大多数误判都发生在路径里带有空格的情况下，所以下一步要先统一路径的写法，再比较它们是否位于工作目录之内。另外，日志里不能出现密钥；凡是看起来像密钥的内容，都要先替换掉再写入文件。请先运行现有的测试，确认没有别的问题，然后再提交修改。`;
const ja = `この関数は、ユーザーが入力したコマンドを単語に分け、それぞれが許可リストにあるかどうかを確認します。引用符やパイプ、リダイレクトが含まれている場合は推測せず、ユーザーに直接たずねます。テストの結果、誤判定のほとんどは空白を含むパスで起きていることがわかりました。次の作業では、まずパスの書き方をそろえ、そのうえで作業フォルダーの中にあるかどうかを比べます。ログに鍵が出てはいけません。`;
const ko = `이 함수는 사용자가 입력한 명령을 단어로 나눈 다음 각각이 허용 목록에 있는지 확인합니다. 따옴표나 파이프, 리디렉션이 들어 있으면 추측하지 않고 사용자에게 직접 묻습니다. 시험해 보니 잘못된 판단은 대부분 공백이 있는 경로에서 일어났습니다. 다음 단계에서는 먼저 경로의 표기를 통일하고, 그런 다음 작업 폴더 안에 있는지를 비교합니다. 기록에는 키가 나타나서는 안 됩니다.`;
const es = `Esta función divide en palabras la orden que escribe el usuario y comprueba, una por una, si están en la lista de permitidas. Si hay comillas, tuberías o redirecciones, ya no adivinamos: preguntamos directamente al usuario. Las pruebas muestran que casi todos los errores ocurren con rutas que contienen espacios, así que el próximo paso es unificar primero la escritura de las rutas y comparar después si quedan dentro de la carpeta de trabajo. Además, en el registro nunca deben aparecer claves.`;

const schemas = JSON.stringify([
  {
    name: "read_file",
    description:
      "Read a text file of the workspace. Lines come with their number in front; everything after the bar is the text of the file itself. At most two thousand lines a call: page on with offset. Several files are read by several calls in one reply.",
    parameters: {
      type: "object",
      required: ["path"],
      properties: {
        path: { type: "string", description: "Path of the file, relative to the root of the workspace." },
        offset: { type: "integer", description: "First line to read, counted from one. Negative numbers count from the end." },
        limit: { type: "integer", description: "How many lines to read.", minimum: 1, maximum: 2000 },
      },
    },
  },
  {
    name: "run_shell",
    description:
      "Run a command with the system shell in the workspace. Each call starts afresh: the folder and variables of an earlier call do not carry over. Nothing can be typed into it. Long output keeps its head and its tail; the whole text is saved.",
    parameters: {
      type: "object",
      required: ["command"],
      properties: {
        command: { type: "string", description: "The command line." },
        timeout_ms: { type: "integer", description: "Stop the command after this time, in milliseconds.", default: 120000 },
        background: { type: "boolean", description: "Start it and return at once with the id of a task." },
      },
    },
  },
]);

export const texts: Record<string, string> = {
  typescript: read("src/engine/turn.ts"),
  tsx: `export function Card({ title, lines, isOpen }: CardProps): React.ReactElement {\n  const { columns } = useTerminalSize();\n  return (\n    <Box flexDirection="column" borderStyle="round" paddingX={1} width={Math.min(columns, 100)}>\n      <Text bold color={isOpen ? "green" : "gray"}>{title}</Text>\n      {isOpen && lines.map((line) => (\n        <Text key={line.id} wrap="truncate-end" dimColor={!line.isNew}>{line.text}</Text>\n      ))}\n    </Box>\n  );\n}\n`.repeat(3),
  python,
  go,
  markdown: read("prompts/en/code.md"),
  schemas,
  lockfile: read("package-lock.json", 5_000),
  diff,
  listing,
  log,
  base64,
  zh,
  ja,
  ko,
  es,
};

import type { demo as source } from "../en/demo";

/** What `zqagent demo` says, in Traditional Chinese as written in Taiwan. */
export const demo: Record<keyof typeof source, string> = {
  prompt: "這個專案有一個測試沒過。請找出原因、修好它，並證明真的好了。",
  start: "先執行測試，看看是哪裡沒過。",
  look: "有一個測試沒過：買十件應該要有數量折扣。我把程式碼和測試對照著看。",
  found:
    "找到了。`src/cart.js` 自己的註解寫著折扣**從第十件開始**，程式碼卻用 `>` 比較：剛好十件就漏掉了。\n\n只要改一個字元：",
  again: "再執行一次同樣的測試：",
  done: "所有測試都過了。\n\n| 項目 | 位置 |\n| --- | --- |\n| 原因 | `count > 10` 漏掉剛好十件 |\n| 修正 | `src/cart.js:5` 改為 `count >= 10` |\n| 驗證 | `node --test`，全部測試 |\n\n最後的決定權一直在你手上：**每個回合都有快照**。\n\n- `/diff` 顯示這一回合改了什麼\n- `/rollback` 把檔案還原成原本的樣子（在外面：`zqagent rollback --turn 0`）",
  deniedCommand:
    "了解：指令沒有執行，我也不會繞過你的決定。\n\n沒有更動任何東西。想重新開始，就再說一次同樣的話，詢問出現時按 `y`。",
  deniedEdit:
    "了解：檔案維持原樣。\n\n如果你想自己修，原因在這裡：`src/cart.js:5` 用的是 `>`，而註解承諾從第十件開始打折，所以應該用 `>=`。",
  failed: "結果和預期不同。示範用的模型只會講一個故事；發生了什麼事請看上面的訊息。",
  other:
    "我只是示範用的劇本模型：只會講一個故事，而且已經講完了。可以試試 `/diff`、`/rollback`、`/help`，或用 Shift-Tab 切換模式。\n\n要使用真正的模型，請設定金鑰和模型，然後在你自己的資料夾裡啟動 zqagent：\n\n```sh\nexport OPENAI_API_KEY=…\nexport OPENAI_MODEL=…        # 名稱以你的端點為準\nexport OPENAI_BASE_URL=…     # 任何相容 OpenAI 的端點；可不設\nzqagent\n```",
  transcriptHead:
    "zqagent demo：劇本模型在範例專案上工作；不需要金鑰，也不需要網路。\n沒有終端機就沒有人可以詢問，所以這裡一律允許。在終端機裡則由你按鍵決定。\n",
  transcriptTail: "\n接下來玩真的：export OPENAI_API_KEY=… OPENAI_MODEL=…，然後在你自己的專案裡啟動 zqagent。",
  sessionName: "修正數量折扣",
  goodbye:
    "範例專案是暫時的，已經刪除。接下來玩真的：\n  export OPENAI_API_KEY=…   export OPENAI_MODEL=…   （其他端點另設 OPENAI_BASE_URL）\n  zqagent",
};

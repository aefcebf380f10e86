import type { demo as source } from "../en/demo";

/** `zqagent demo` 里的文字：提示，以及脚本模型的台词。 */
export const demo: Record<keyof typeof source, string> = {
  prompt: "这个项目有一个测试没通过。请找出原因，修好它，并证明确实好了。",
  start: "先运行测试，看看是哪里没通过。",
  look: "有一个测试没通过：买十件应该享受数量折扣。我把代码和测试对照着读一下。",
  found:
    "找到了。`src/cart.js` 自己的注释写着折扣**从第十件开始**，代码却用 `>` 比较：正好十件时漏掉了。\n\n只需改一个字符：",
  again: "再运行一遍同样的测试：",
  done: "所有测试都通过了。\n\n| 项目 | 位置 |\n| --- | --- |\n| 原因 | `count > 10` 漏掉了正好十件 |\n| 修复 | `src/cart.js:5` 改为 `count >= 10` |\n| 验证 | `node --test`，全部测试 |\n\n最后的决定权始终在你手里：**每一轮都有快照**。\n\n- `/diff` 显示这一轮改了什么\n- `/rollback` 把文件恢复原样（在外面：`zqagent rollback --turn 0`）",
  deniedCommand:
    "明白：命令没有执行，我也不会绕开你的决定。\n\n没有改动任何内容。想重新开始，就再说一遍同样的话，询问出现时按 `y`。",
  deniedEdit:
    "明白：文件保持原样。\n\n如果你想自己修，原因在这里：`src/cart.js:5` 用的是 `>`，而注释承诺从第十件开始打折，所以应该用 `>=`。",
  failed: "结果和预期不一样。演示用的模型只会讲一个故事；具体情况请看上面的信息。",
  other:
    "我只是演示用的脚本模型，只会讲一个故事，而且已经讲完了。可以试试 `/diff`、`/rollback`、`/help`，或用 Shift-Tab 切换模式。\n\n要使用真正的模型，请设置密钥和模型，然后在你自己的目录里启动 zqagent：\n\n```sh\nexport OPENAI_API_KEY=…\nexport OPENAI_MODEL=…        # 名称以你的服务为准\nexport OPENAI_BASE_URL=…     # 任何兼容 OpenAI 的服务；可不设\nzqagent\n```",
  transcriptHead:
    "zqagent demo：脚本模型在一个示例项目上工作；不需要密钥，也不需要网络。\n没有终端就无人可以询问，因此这里一切都被允许。在终端里则由你按键决定。\n",
  transcriptTail: "\n现在来真的：export OPENAI_API_KEY=… OPENAI_MODEL=…，然后在你自己的项目里启动 zqagent。",
  sessionName: "修复数量折扣",
  goodbye:
    "示例项目是临时的，已经删除。现在来真的：\n  export OPENAI_API_KEY=…   export OPENAI_MODEL=…   （其他服务另设 OPENAI_BASE_URL）\n  zqagent",
};

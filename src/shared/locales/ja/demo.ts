import type { demo as source } from "../en/demo";

/** What `zqagent demo` says, in Japanese. */
export const demo: Record<keyof typeof source, string> = {
  prompt: "このプロジェクトのテストが一つ失敗します。原因を突き止めて直し、動くことを見せてください。",
  start: "まずテストを実行して、何が失敗するのかを見ます。",
  look: "テストが一つ失敗しています。10 個なら数量割引になるはずです。コードとテストを並べて読みます。",
  found:
    "見つかりました。`src/cart.js` のコメントには割引は **10 個目から**とあるのに、比較が `>` なので、ちょうど 10 個がこぼれ落ちます。\n\n直すのは 1 文字だけです：",
  again: "同じテストをもう一度実行します：",
  done: "すべてのテストに通りました。\n\n| 項目 | 場所 |\n| --- | --- |\n| 原因 | `count > 10` がちょうど 10 個を漏らす |\n| 修正 | `src/cart.js:5` を `count >= 10` に |\n| 確認 | `node --test`、全テスト |\n\n最後に決めるのは、終わった後でもあなたです：**ターンごとにスナップショットがあります**。\n\n- `/diff` でこのターンの変更を表示\n- `/rollback` でファイルを元の状態に戻す（画面の外では `zqagent rollback --turn 0`）",
  deniedCommand:
    "わかりました。コマンドは実行していませんし、あなたの答えを迂回する方法も探しません。\n\n何も変更していません。やり直すには同じ言葉でもう一度頼み、確認が出たら `y` を押してください。",
  deniedEdit:
    "わかりました。ファイルはそのままです。\n\nご自分で直す場合の原因です：`src/cart.js:5` は `>` で比較していますが、コメントは 10 個目からの割引を約束しているので、`>=` が正解です。",
  failed:
    "想定どおりに進みませんでした。デモのモデルは一つの話しか知りません。何が起きたかは上のメッセージをご覧ください。",
  other:
    "私は台本どおりに話すデモ用のモデルで、知っている話は一つだけ、もう話し終えました。`/diff`、`/rollback`、`/help`、またはモードを切り替える Shift-Tab を試してみてください。\n\n本物のモデルを使うには、キーとモデルを設定して、ご自分のフォルダで zqagent を起動します：\n\n```sh\nexport OPENAI_API_KEY=…\nexport OPENAI_MODEL=…        # エンドポイントでの呼び名\nexport OPENAI_BASE_URL=…     # OpenAI 互換のエンドポイント。省略可\nzqagent\n```",
  transcriptHead:
    "zqagent demo：台本どおりのモデルがサンプルプロジェクトで作業します。キーもネットワークも要りません。\nターミナルがなければ確認できる人がいないため、ここではすべて許可されます。ターミナルではあなたがキーで決めます。\n",
  transcriptTail:
    "\n次は本番です：export OPENAI_API_KEY=… OPENAI_MODEL=… を設定し、ご自分のプロジェクトで zqagent を起動してください。",
  sessionName: "数量割引の修正",
  goodbye:
    "サンプルプロジェクトは一時的なもので、もう削除されました。次は本番です：\n  export OPENAI_API_KEY=…   export OPENAI_MODEL=…   （ほかのエンドポイントなら OPENAI_BASE_URL も）\n  zqagent",
};

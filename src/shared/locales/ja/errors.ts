import type { errors as source } from "../en/errors";

export const errors: Record<keyof typeof source, string> = {
  rate_limit:
    "エンドポイントが一定時間の送信量を制限しており、その分を使い切りました。\n少し待ってから、もう一度試してください。",
  quota: "エンドポイントのアカウントに割り当てや残高がありません。\nチャージするか、別のキーを使ってください。",
  auth: "エンドポイントが API キーを拒否しました。\nOPENAI_API_KEY と、それがそのエンドポイント（OPENAI_BASE_URL）のものかを確かめてください。",
  forbidden:
    "エンドポイントはこのキーにこれを許可していません。\nキーに何が許されているかをエンドポイントで確かめてください。",
  model_not_found:
    "エンドポイントはこのモデルを知りません。\n名前（OPENAI_MODEL、--model）を確かめてください。`zqagent doctor` が一覧を示します。",
  endpoint_unsupported:
    "エンドポイントにこのパスまたはプロトコルがありません。\nOPENAI_BASE_URL（たいてい /v1 で終わります）と --api-mode を確かめてください。",
  capability:
    "エンドポイントまたはモデルは、求められたこと（ツールや画像など）ができません。\n別のモデルを選ぶか、それを外してください。",
  context_overflow:
    "会話がモデルのウィンドウに収まらず、短くしても足りませんでした。\n新しいセッションを始めるか、ウィンドウの大きいモデルを使ってください。",
  payload_too_large:
    "リクエストのバイト数がエンドポイントの上限を超えています。\n新しいセッションを始めるか、大きなファイルや画像を外してください。",
  history_invalid:
    "エンドポイントが会話の順序または形式を拒否しました。\nもう一度試し、変わらなければ新しいセッションを始めてください。",
  content_filter: "エンドポイントのコンテンツフィルターが回答を止めました。\n別の言い方で頼んでください。",
  output_rejected: "エンドポイントはモデルの出力を使えませんでした。\nもう一度試すか、別のモデルを選んでください。",
  malformed_response:
    "返ってきたものはモデルの応答ではありません。\nOPENAI_BASE_URL（たいてい /v1 で終わります）と途中のプロキシを確かめてください。",
  stream_incomplete: "応答が終わる前に途切れました。\nもう一度試してください。それまでの作業は残っています。",
  stream_idle:
    "応答の途中でエンドポイントが沈黙しました。\nもう一度試してください。沈黙を待つ長さは OPENAI_STREAM_IDLE_MS が決めます。",
  empty_response: "モデルは何も答えませんでした。\nもう一度試すか、別のモデルを選んでください。",
  overloaded: "エンドポイントが過負荷か、モデルがまだ読み込み中です。\n少し待ってから、もう一度試してください。",
  server: "エンドポイント自身が失敗しました。\nもう一度試し、変わらなければ状況ページを見てください。",
  network:
    "エンドポイントにつながらないか、接続が切れました。\nネットワークと OPENAI_BASE_URL を確かめて、もう一度試してください。",
  unsupported_param:
    "エンドポイントがリクエストを拒否しました。\n別のプロトコル（--api-mode）を試すか、何ができるかを調べてください: `zqagent doctor --probe`。",
  tool_schema:
    "エンドポイントがツールの記述を拒否しました。\n別のプロトコル（--api-mode）か別のモデルを試してください。",
  loop_detected: "モデルが堂々巡りをしたので、このターンを終えました。\nやり方をどう変えるか伝えてください。",
  repeating_output: "モデルが同じ文を繰り返したので、止めました。\nもう一度試すか、別のモデルを選んでください。",
  compaction_failed: "会話を短くできませんでした。\nもう一度試すか、新しいセッションを始めてください。",
  budget_exceeded: "この実行の予算を使い切りました。\n予算を上げるか、やり直してください。",
  other: "ターンがエラーで終わりました。\nもう一度試してください。--verbose で詳しく表示します。",
  tryAgainAt: "{time}（{span}後）にもう一度試してください。--wait-limits を付けると zqagent が自分で待ちます。",
  spanSeconds: "{count} 秒",
  spanMinutes: "{count} 分",
  spanHours: "{count} 時間",
  spanDays: "{count} 日",
};

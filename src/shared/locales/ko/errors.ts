import type { errors as source } from "../en/errors";

export const errors: Record<keyof typeof source, string> = {
  rate_limit:
    "엔드포인트가 일정 시간 동안의 전송량을 제한하고 있으며, 그 몫을 다 썼습니다.\n잠시 기다린 뒤 다시 시도하세요.",
  quota: "엔드포인트 계정에 할당량이나 잔액이 없습니다.\n충전하거나 다른 키를 쓰세요.",
  auth: "엔드포인트가 API 키를 거부했습니다.\nOPENAI_API_KEY와, 그것이 해당 엔드포인트(OPENAI_BASE_URL)의 키인지 확인하세요.",
  forbidden: "엔드포인트가 이 키에 이것을 허용하지 않습니다.\n키에 무엇이 허용되는지 엔드포인트에서 확인하세요.",
  model_not_found:
    "엔드포인트가 이 모델을 모릅니다.\n이름(OPENAI_MODEL, --model)을 확인하세요. `zqagent doctor`가 목록을 보여 줍니다.",
  endpoint_unsupported:
    "엔드포인트에 이 경로나 프로토콜이 없습니다.\nOPENAI_BASE_URL(보통 /v1 로 끝남)과 --api-mode를 확인하세요.",
  capability:
    "엔드포인트나 모델이 요구한 것(도구나 이미지 등)을 할 수 없습니다.\n다른 모델을 고르거나 그 부분을 빼세요.",
  context_overflow:
    "대화가 모델의 창에 들어가지 않고, 줄여도 모자랐습니다.\n새 세션을 시작하거나 창이 더 큰 모델을 쓰세요.",
  payload_too_large:
    "요청의 바이트 수가 엔드포인트의 한도를 넘습니다.\n새 세션을 시작하거나 큰 파일과 이미지를 빼세요.",
  history_invalid: "엔드포인트가 대화의 순서나 형식을 거부했습니다.\n다시 시도하고, 그대로면 새 세션을 시작하세요.",
  content_filter: "엔드포인트의 콘텐츠 필터가 답변을 막았습니다.\n다른 말로 요청하세요.",
  output_rejected: "엔드포인트가 모델이 쓴 것을 쓸 수 없었습니다.\n다시 시도하거나 다른 모델을 고르세요.",
  malformed_response:
    "돌아온 것이 모델의 응답이 아닙니다.\nOPENAI_BASE_URL(보통 /v1 로 끝남)과 중간의 프록시를 확인하세요.",
  stream_incomplete: "응답이 끝나기 전에 끊겼습니다.\n다시 시도하세요. 그 전에 한 일은 남아 있습니다.",
  stream_idle:
    "응답 도중에 엔드포인트가 조용해졌습니다.\n다시 시도하세요. 얼마나 기다릴지는 OPENAI_STREAM_IDLE_MS가 정합니다.",
  empty_response: "모델이 아무것도 답하지 않았습니다.\n다시 시도하거나 다른 모델을 고르세요.",
  overloaded: "엔드포인트가 과부하이거나 모델을 아직 불러오는 중입니다.\n잠시 기다린 뒤 다시 시도하세요.",
  server: "엔드포인트 자체가 실패했습니다.\n다시 시도하고, 그대로면 상태 페이지를 보세요.",
  network: "엔드포인트에 닿지 못했거나 연결이 끊겼습니다.\n네트워크와 OPENAI_BASE_URL을 확인한 뒤 다시 시도하세요.",
  unsupported_param:
    "엔드포인트가 요청을 거부했습니다.\n다른 프로토콜(--api-mode)을 시도하거나 무엇을 할 수 있는지 보세요: `zqagent doctor --probe`.",
  tool_schema: "엔드포인트가 도구의 설명을 거부했습니다.\n다른 프로토콜(--api-mode)이나 다른 모델을 시도하세요.",
  loop_detected: "모델이 제자리를 맴돌아서 이번 차례를 끝냈습니다.\n무엇을 다르게 할지 알려 주세요.",
  repeating_output: "모델이 같은 글을 되풀이해서 멈췄습니다.\n다시 시도하거나 다른 모델을 고르세요.",
  compaction_failed:
    "대화를 모델의 창에 맞게 줄일 수 없었습니다.\n다시 시도하거나 새 세션을 시작하세요. 직접 운영하는 서버라면 모델의 컨텍스트 길이 설정을 늘리세요.",
  budget_exceeded: "이번 실행의 예산을 다 썼습니다.\n예산을 올리거나 다시 시작하세요.",
  other: "이번 차례가 오류로 끝났습니다.\n다시 시도하세요. --verbose가 더 보여 줍니다.",
  tryAgainAt: "{time}({span} 뒤)에 다시 시도하세요. --wait-limits를 주면 zqagent가 스스로 기다립니다.",
  spanSeconds: "{count}초",
  spanMinutes: "{count}분",
  spanHours: "{count}시간",
  spanDays: "{count}일",
};

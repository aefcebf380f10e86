import type { demo as source } from "../en/demo";

/** What `zqagent demo` says, in Korean. */
export const demo: Record<keyof typeof source, string> = {
  prompt: "이 프로젝트의 테스트 하나가 실패해요. 원인을 찾아 고치고, 제대로 되는지 보여 주세요.",
  start: "먼저 테스트를 실행해 무엇이 실패하는지 보겠습니다.",
  look: "테스트 하나가 실패합니다. 열 개를 사면 수량 할인이 적용되어야 합니다. 코드와 테스트를 나란히 읽어 보겠습니다.",
  found:
    "찾았습니다. `src/cart.js`의 주석에는 할인이 **열 개째부터**라고 되어 있는데 비교는 `>`로 해서, 정확히 열 개일 때 빠집니다.\n\n고칠 것은 글자 하나입니다:",
  again: "같은 테스트를 다시 실행합니다:",
  done: "모든 테스트가 통과합니다.\n\n| 항목 | 위치 |\n| --- | --- |\n| 원인 | `count > 10`이 정확히 열 개를 놓침 |\n| 수정 | `src/cart.js:5`를 `count >= 10`으로 |\n| 확인 | `node --test`, 모든 테스트 |\n\n나중에도 마지막 결정은 당신의 몫입니다: **턴마다 스냅샷이 있습니다**.\n\n- `/diff` 이 턴이 바꾼 것을 보여 줍니다\n- `/rollback` 파일을 원래대로 되돌립니다(화면 밖에서는 `zqagent rollback --turn 0`)",
  deniedCommand:
    "알겠습니다. 명령은 실행하지 않았고, 거부하신 결정을 피해 갈 방법도 찾지 않겠습니다.\n\n아무것도 바뀌지 않았습니다. 처음부터 다시 하려면 같은 말로 한 번 더 요청하고, 질문이 나오면 `y`를 누르세요.",
  deniedEdit:
    "알겠습니다. 파일은 그대로 둡니다.\n\n직접 고치실 때를 위해 원인을 말씀드리면, `src/cart.js:5`는 `>`로 비교하지만 주석은 열 개째부터 할인을 약속하므로 `>=`여야 합니다.",
  failed: "예상과 다르게 되었습니다. 데모의 모델은 한 가지 이야기만 압니다. 무슨 일이 있었는지는 위의 메시지를 보세요.",
  other:
    "저는 대본대로 움직이는 데모용 모델이라 아는 이야기가 하나뿐이고, 이미 다 했습니다. `/diff`, `/rollback`, `/help`나 모드를 바꾸는 Shift-Tab을 써 보세요.\n\n진짜 모델을 쓰려면 키와 모델을 설정하고 자신의 폴더에서 zqagent를 시작하세요:\n\n```sh\nexport OPENAI_API_KEY=…\nexport OPENAI_MODEL=…        # 엔드포인트에서 부르는 이름\nexport OPENAI_BASE_URL=…     # OpenAI 호환 엔드포인트, 생략 가능\nzqagent\n```",
  transcriptHead:
    "zqagent demo: 대본대로 움직이는 모델이 예제 프로젝트에서 일합니다. 키도 네트워크도 필요 없습니다.\n터미널이 없으면 물어볼 사람이 없으므로 여기서는 모두 허용합니다. 터미널에서는 직접 키를 눌러 정합니다.\n",
  transcriptTail:
    "\n이제 진짜로: export OPENAI_API_KEY=… OPENAI_MODEL=… 하고, 자신의 프로젝트에서 zqagent를 시작하세요.",
  sessionName: "수량 할인 고치기",
  goodbye:
    "예제 프로젝트는 임시로 만든 것이어서 지웠습니다. 이제 진짜로:\n  export OPENAI_API_KEY=…   export OPENAI_MODEL=…   (다른 엔드포인트라면 OPENAI_BASE_URL도)\n  zqagent",
};

/** How to tell which language a text is written in, as far as its characters show it. */

import type { Lang } from "../../src/shared/lang";

/** Characters that only one of the two Chinese scripts has, the simplified one first in each pair. */
const PAIRS =
  "这這 为為 们們 说說 对對 时時 会會 动動 运運 权權 读讀 写寫 应應 开開 关關 请請 问問 题題 错錯 误誤 执執 还還 发發 " +
  "现現 变變 选選 项項 续續 显顯 输輸 过過 给給 让讓 连連 钥鑰 务務 实實 复復 记記 录錄 轮輪 压壓 缩縮 恢恢 档檔 里裡 " +
  "个個 条條 状狀 态態 终終 编編 辑輯 删刪 设設 键鍵 进進 结結 标標 样樣 别別 该該 无無 没沒 么麼 后後 网網 " +
  "页頁 数數 据據 马馬 类類 图圖 虑慮 围圍 带帶 缺缺 两兩 传傳 检檢 验驗 试試 话話 语語 讯訊 询詢 调調 单單 总總";

const pairs = PAIRS.split(" ")
  .map((pair) => [...pair] as [string, string])
  .filter(([simplified, traditional]) => simplified !== traditional);

/** Characters that a language never uses: what is found of them was left over from another one. */
const FOREIGN: Record<Lang, RegExp> = {
  zh: new RegExp(
    `[${pairs.map(([, traditional]) => traditional).join("")}\\p{Script=Hiragana}\\p{Script=Hangul}]`,
    "gu",
  ),
  "zh-TW": new RegExp(
    `[${pairs.map(([simplified]) => simplified).join("")}\\p{Script=Hiragana}\\p{Script=Hangul}]`,
    "gu",
  ),
  ja: /[这们说时运权读应请问题错误执还发现选项续显输过给让连钥务实记录轮压缩档]|\p{Script=Hangul}/gu,
  ko: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  es: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu,
  en: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu,
};

/** The characters of a text that its language does not write. */
export function foreignCharacters(text: string, lang: Lang): string[] {
  return text.match(FOREIGN[lang]) ?? [];
}

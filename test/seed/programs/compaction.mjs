// Guide 14.2 and 14.3: a session that outgrows its window is summarised, in the stream and for the hooks alike.
import { createDefaultEngine } from "@zqagent/core";

const workspace = process.cwd();
createDefaultEngine({
  workspace,
  contextWindow: 200_000,
  thresholdPct: 0.85,
  softThresholdPct: 0.7,
  capTokens: 120_000,
});

const engine = createDefaultEngine({
  workspace,
  instructions: "Short.",
  contextWindow: 60_000,
  capTokens: 20_000,
  hook: {
    onCompacting: (info) => console.log("hook compacting", info.trigger),
    onCompacted: (text, info) => console.log("hook compacted", typeof text, info.method),
  },
});
for (let turn = 1; turn <= 4; turn += 1) {
  for await (const { type, data } of engine.run(`${turn}: ${"many words of a long prompt ".repeat(900)}`)) {
    if (type === "compacting") console.log(type, Object.keys(data).sort().join(" "));
    if (type === "compacted") {
      console.log(type, data.method, Number(data.messagesBefore) > Number(data.messagesAfter));
    }
    if (type === "turn_end") console.log(turn, data.status);
  }
}
console.log(typeof engine.compactionState);

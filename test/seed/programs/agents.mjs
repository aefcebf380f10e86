// Guide 16.2: roles, and switching to one in mid-session.
import { AgentRegistry, BUILTIN_AGENTS, createDefaultEngine } from "@zqagent/core";

const workspace = process.cwd();
const today = "2026-12-01";
const engine = createDefaultEngine({ workspace });

console.log(BUILTIN_AGENTS.map(({ name }) => name).join(" "));
const agents = new AgentRegistry();
agents.add({ name: "analyst", description: "Data analysis", prompt: "You are a data analyst." });
agents.update("analyst", { model: "deepseek-chat" });
agents.switch("analyst");

const prompt = agents.buildSystemPrompt("analyst", workspace, today, "zh");
engine.setSystemPrompt(prompt);
engine.model = agents.currentDef.model ?? engine.model;
console.log(engine.model, JSON.stringify(engine.messages[0]?.content));

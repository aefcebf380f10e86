/** Puts together what keeps a conversation within the model's window. */

import type { Lang } from "../shared/lang";
import { getPrompts } from "../shared/prompts";
import { Compactor } from "./Compactor";
import { Context } from "./Context";
import { Elider } from "./Elider";
import type { History } from "./History";
import { Meter } from "./Meter";
import type { TurnEngineOpts } from "./options";

export interface ContextSetup {
  opts: TurnEngineOpts;
  history: History;
  lang: Lang;
  toolResultDir: string;
  /** The model that is asked now. */
  modelId(): string;
  /** Told when a compaction has replaced the history. */
  compacted(): void;
}

export function createContext({ opts, history, lang, toolResultDir, modelId, compacted }: ContextSetup): Context {
  const { provider, registry, permissions, sessionId } = opts;
  const meter = new Meter(history, opts, modelId);
  const compactor = new Compactor({
    provider,
    registry,
    permissions,
    history,
    meter,
    modelId,
    compacted,
    instruction: getPrompts(lang).compact.trim(),
    ...(sessionId && { sessionId }),
  });
  return new Context({ meter, compactor, elider: new Elider({ history, meter, registry, toolResultDir }) });
}

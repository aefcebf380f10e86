/** What is known of models: windows, output limits, senses, prices. Data and a look-up, no network. */
export interface ModelInfo {
  contextWindow: number; maxInput?: number; maxOutput: number; vision: boolean; assumed: boolean;
}
export function resolveModel(_id: string): ModelInfo { return { contextWindow: 128_000, maxOutput: 16_000, vision: false, assumed: true }; }

export class Elider { async elide(_tools: unknown): Promise<void> {} }

/** What a search service is for web_search, so that a host can bring its own. */

/** One result. */
export interface SearchHit {
  title: string;
  url: string;
  snippet: string;
}

/** A search service (addition, docs/tools.md). */
export interface WebSearchBackend {
  name: string;
  /** Resolves to the hits in order, none where there are none. Rejects with a reason for a person to read. */
  search(query: string, count: number, signal: AbortSignal | undefined): Promise<SearchHit[]>;
}

/** turndown and its plugin ship no types; this is the part that we use. */
declare module "turndown" {
  interface Node {
    nodeName: string;
    getAttribute(name: string): string | null;
  }
  interface Rule {
    filter: string | string[];
    replacement(content: string, node: Node): string;
  }
  class TurndownService {
    constructor(options?: { headingStyle?: "atx"; codeBlockStyle?: "fenced"; bulletListMarker?: "-"; hr?: string });
    use(plugin: (service: TurndownService) => void): TurndownService;
    addRule(name: string, rule: Rule): TurndownService;
    remove(filter: string | string[]): TurndownService;
    escape(text: string): string;
    turndown(html: string): string;
  }
  export = TurndownService;
}

declare module "@joplin/turndown-plugin-gfm" {
  import type TurndownService from "turndown";

  const plugin: { gfm: (service: TurndownService) => void };
  export = plugin;
}

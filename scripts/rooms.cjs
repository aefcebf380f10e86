/** The one ordered list of rooms (ground floor first). The wall check reads it; AGENTS.md prints it. */
exports.floors = [
  ["shared"],
  ["providers", "sandbox", "permissions", "vcs", "render"],
  ["tools", "hooks"],
  ["engine", "mcp"],
  ["agents"],
  ["createDefaultEngine"],
  ["index"],
  ["sessions"],
  ["ui"],
  ["cli"],
];

/** Above the waist (`index`) the library is entered by its front door; only these rooms may be used from there too. */
exports.waist = "index";
exports.belowEveryone = ["shared", "render"];

/** Pages that only show a file, and where the file itself is: the page around it is of no use to a model. */

interface Viewer {
  host: string;
  path: RegExp;
  raw: (parts: string[]) => string;
}

const VIEWERS: Viewer[] = [
  {
    host: "github.com",
    path: /^\/([^/]+)\/([^/]+)\/blob\/(.+)$/,
    raw: ([owner, repository, file]) => `https://raw.githubusercontent.com/${owner}/${repository}/${file}`,
  },
];

/** The file's own address, for addresses in the table above; any other stays as it is. */
export function rawAddress(url: URL): URL {
  for (const { host, path, raw } of VIEWERS) {
    const match = url.hostname.replace(/^www\./, "") === host ? path.exec(url.pathname) : null;
    if (match) return new URL(raw(match.slice(1)));
  }
  return url;
}

/** picomatch ships no types; this is the part that we use. */
declare module "picomatch" {
  type Options = { dot?: boolean; nonegate?: boolean; posixSlashes?: boolean };
  function picomatch(pattern: string, options?: Options): (path: string) => boolean;
  export = picomatch;
}

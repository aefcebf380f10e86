/** picomatch ships no types; this is the part that we use. */
declare module "picomatch" {
  interface Options {
    dot?: boolean;
    nonegate?: boolean;
    posixSlashes?: boolean;
  }
  const picomatch: (pattern: string, options?: Options) => (path: string) => boolean;
  export default picomatch;
}

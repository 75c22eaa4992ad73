// The version of Pawl, read from package.json. Bundlers inline the file, so Lambda and Cloudflare need no file at run time.
import manifest from "../package.json" with { type: "json" };

export const VERSION: string = manifest.version;

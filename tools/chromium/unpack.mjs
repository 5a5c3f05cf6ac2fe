// Unpack the Chromium of the npm package @sparticuz/chromium beside it, with the
// libraries and letters that a machine may lack. Prints nothing; see tools/browser.py.
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [packed, place] = ["@sparticuz/chromium/bin", ".chromium"].map((name) =>
  join(here, "node_modules", name));
const unpacking = `${place}.part`;
rmSync(unpacking, { recursive: true, force: true });
mkdirSync(unpacking, { recursive: true });
process.env.TMPDIR = unpacking; // where the package unpacks to
const { inflate } = await import("@sparticuz/chromium");
for (const name of ["chromium.br", "al2023.tar.br", "fonts.tar.br"])
  await inflate(join(packed, name));
rmSync(place, { recursive: true, force: true });
renameSync(unpacking, place); // only what is whole is found

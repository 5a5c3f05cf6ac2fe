// The site on a reader's device: keeps its files, and answers from them where the network
// does not. installable.py writes what this build consists of in front of it.
//
//   self.nokernelSite = {
//     version what this build is called
//     files   { name: digest } of what is kept at once
//     later   { name: digest } of what is kept once it was used
//     start   the page that the site begins with
//     python  the address that Python in the page comes from, or ""
//     digests { name: digest } of Python's own files; those of packages are in its lock
//   }
//
// The network is asked first, always: whoever has one sees the newest build. This worker
// is another file with every build, and its new one keeps all files of that build, or none.
// The files of this folder make one script, in the order of their names.
"use strict";
const { version, files, later, start, python, digests } = self.nokernelSite;
const ROOT = new URL("./", location.href).href;
const PREFIX = `nokernel ${ROOT} `; // on a host with several sites, each has its own
const NAME = `${PREFIX}${version}`;
const PYTHON = python && new URL(python, ROOT).href;
const PYTHONS = `nokernel-python ${ROOT} ${PYTHON}`;
const LOCK = "pyodide-lock.json";
const DIGEST = "x-nokernel-digest"; // beside each file that is kept
const PATIENCE = 4000; // milliseconds for a network that is slow to answer
const AT_ONCE = 6;

const addressOf = (name) => ROOT + name.split("/").map(encodeURIComponent).join("/");
const plain = (address) => address.split(/[?#]/)[0];

async function digestOf(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `sha256-${btoa(String.fromCharCode(...digest))}`;
}

/** What is kept of a file: its bytes, with their kind and their digest. */
function toKeep(bytes, response, digest) {
  const kind = response.headers.get("content-type") ?? "application/octet-stream";
  return new Response(bytes, { headers: { "content-type": kind, [DIGEST]: digest } });
}

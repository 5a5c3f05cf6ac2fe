// Classic scripts that hold data: each calls receivePiece(name, content).

const aborted = () => new DOMException("Stopped.", "AbortError");

// Load a script; resolve to the content that it hands over. Rejects with the sentence
// `lost` if it does not come, and `changed` if it comes and is something else.
export function loadScript(address, lost, changed) {
  globalThis.receivePiece = (name, content) => {
    document.currentScript.received = content;
  };
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.onerror = () => {
      script.remove();
      reject(new Error(lost));
    };
    script.onload = () => {
      script.remove();
      if (script.received === undefined) reject(new Error(changed));
      else resolve(script.received);
    };
    script.src = address;
    document.head.append(script);
  });
}

// Wait for a promise, or until the signal: then reject with an AbortError. What the
// promise stands for goes on, since others may wait for it as well.
export function unlessAborted(promise, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => reject(aborted());
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal?.removeEventListener("abort", stop));
  });
}

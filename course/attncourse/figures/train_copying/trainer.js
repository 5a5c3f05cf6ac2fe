// The page's side of the worker: it is made from its source, so that it needs no address
// and runs from a file too; it rests while nobody can see the page.

/** start(settings) begins anew, go(true or false) goes on or rests, look(symbols) asks what
 *  the model does with these, stop() ends it. */
export function makeTrainer(source, onStep, onError) {
  let worker = null, url = null, wanted = false;
  const tell = () => worker?.postMessage({ run: wanted && !document.hidden });
  const stop = () => {
    worker?.terminate();
    if (url) URL.revokeObjectURL(url);
    worker = url = null;
    wanted = false;
  };
  const fail = (reason) => {
    stop();
    onError(reason || "the worker could not be started");
  };
  const start = (settings) => {
    stop();
    try {
      url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
      worker = new Worker(url);
    } catch (error) {
      return fail(error.message);
    }
    const own = worker;
    worker.onmessage = ({ data }) => { if (own === worker) onStep(data); };
    worker.onerror = (event) => { event.preventDefault(); fail(event.message); };
    worker.postMessage({ start: settings });
  };
  const go = (on) => {
    wanted = on;
    tell();
  };
  const look = (symbols) => worker?.postMessage({ symbols });
  document.addEventListener("visibilitychange", tell);
  const remove = () => {
    document.removeEventListener("visibilitychange", tell);
    stop();
  };
  return { start, go, look, stop, remove };
}

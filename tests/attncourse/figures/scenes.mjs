// What tests ask of the figures' own scripts. Standard input holds [scene, data]; what the
// scene of that name returns is printed.
const figures = "../../../course/attncourse/figures";
const script = (name) => import(`${figures}/${name}.js`);

const scenes = {
  // Calls exported functions: [[script, function, ...arguments], ...].
  async calls(calls) {
    const results = [];
    for (const [name, of, ...args] of calls) results.push((await script(name))[of](...args));
    return results;
  },

  // Writes states into addresses and reads them: { name: { controls, begun, states, queries } },
  // the last as Python writes the states; { name: [{ query, state, refused, same, nonsense }] }.
  async addresses(given) {
    const { asked, queryOf } = await script("kit/declared");
    return Object.fromEntries(Object.entries(given).map(([name, { controls, begun, states, queries }]) => {
      const read = (query) => asked(new URLSearchParams(query), controls, begun);
      const nonsense = read(controls.map((one) => `${one.name}=1,x`).join("&"));
      return [name, states.map((state, i) => {
        const query = queryOf(state), { state: part, refused } = read(query);
        const same = { ...begun, ...read(queries[i]).state };
        return { query, state: { ...begun, ...part }, refused, same, nonsense };
      })];
    }));
  },

  // Computes and describes states of declared figures, [{ spec, data, script, states }, ...]:
  // for each [{ numbers, said, heard, traits, again }, ...], where heard is what the page says
  // when the state before becomes this one.
  async declared(given) {
    const { fillIn } = await script("kit/read"), { stateOf, traitsOf } = await script("kit/declared");
    const { newClauses, shortened } = await script("kit/voice");
    const results = [];
    for (const { spec, data, script: path, states } of given) {
      const { compute } = await import(path);
      let before = [];
      results.push(states.map((state) => {
        const numbers = compute(state, data), said = fillIn(spec, { ...data, ...state, ...numbers });
        const heard = shortened(newClauses(before, said.said)) ?? "";
        before = said.said;
        const traits = traitsOf(state, spec.controls), again = stateOf((trait) => traits[trait], spec.controls);
        return { numbers, said, heard, traits, again };
      }));
    }
    return results;
  },

  // Asks of figures whether their goal is met: [{ script, data, begun, solved }, ...]; for each
  // which parts of it are as it begins, and with what solves it.
  async goals(given) {
    const results = [];
    for (const { script: path, data, begun, solved } of given) {
      const { compute, goal } = await import(path), start = { ...begun, ...compute(begun, data) };
      results.push([begun, { ...begun, ...solved }].map((at) => [goal(compute(at, data), at, start, data)].flat()));
    }
    return results;
  },

  // Presses the switch of a figure's sound, moves it, and presses again; what a stub of
  // WebAudio was asked to do.
  async sound({ sound, states }) {
    const { makeSound } = await script("kit/sound"), done = [];
    const timed = (name) => ({ set value(x) { done.push([name, x]); }, setValueAtTime: (x, at) => done.push([name, x, at]), linearRampToValueAtTime: (x, at) => done.push([name, x, at]) });
    const node = (name, part) => ({ [part]: timed(part), connect: (to) => to, disconnect: () => done.push(["off"]),
      start: (at) => done.push(["start", at]), stop: (at) => done.push(["stop", at]) });
    let opened = 0;
    const open = () => {
      opened += 1;
      return { currentTime: 0, destination: {}, createOscillator: () => node("tone", "frequency"),
        createGain: () => node("loud", "gain"), createStereoPanner: () => node("side", "pan") };
    };
    globalThis.document = { createElement: () => ({ attributes: {}, append: () => {},
      setAttribute(name, value) { this.attributes[name] = `${value}`; },
      addEventListener(_, hear) { this.press = hear; } }) };
    globalThis.setTimeout = (hear) => { hear(); };
    globalThis.clearTimeout = () => {};
    const { node: button, hear } = makeSound(sound, open), taken = [];
    const take = () => taken.push({ done: done.splice(0), opened, pressed: button.attributes["aria-pressed"] });
    hear(states[0]);
    take();
    button.press();
    take();
    hear(states[1]);
    take();
    button.press();
    hear(states[0]);
    take();
    return taken;
  },

  // Trains models with weights and texts that it is given, as the page does with its own,
  // [{ params, batches, layers, positions, scale, rate }, ...]: for each what every step
  // returned and the weights at the end, and with { run, until } what the model then writes
  // after that run. For { seed, task, ... } the weights and texts that the page begins with.
  async training(models) {
    const { makeAdam, makeModel, trainStep, uniform, writeTexts } = await script("train_copying/learning");
    const { goOn, placesOf } = await script("train_copying/network"), { matrix } = await script("train_copying/layers");
    const numbers = (params) => Object.fromEntries(Object.entries(params).map(([name, { data }]) =>
      [name, Array.from(data)]));
    const begin = ({ seed, task, ...kind }) => {
      const random = uniform(seed), { params } = makeModel(random, { ...task, ...kind });
      return { params: numbers(params), texts: writeTexts(random, task) };
    };
    const train = ({ params, batches, layers, positions, scale, rate, run, until }) => {
      const weights = Object.fromEntries(Object.entries(params).map(([name, rows]) =>
        [name, matrix(rows.length, rows[0].length, Float64Array.from(rows.flat()))]));
      const places = positions ? placesOf(24, weights.symbol.columns) : null;
      const model = { params: weights, layers, places, scale }, adam = makeAdam(weights, rate);
      const steps = batches.map((texts) => trainStep(model, adam, texts));
      const wrote = run && goOn(model, [...run, run[0]], until);
      return { steps, params: numbers(weights), wrote };
    };
    return models.map((one) => (one.task ? begin(one) : train(one)));
  },

  // Unpacks the writer's weights once and calls the page's functions with them:
  // { packed, parts, calls: [[function, ...arguments], ...] }.
  async writer({ packed, parts, calls }) {
    const [costs, page, live] = [await script("writer/costs"), await script("writer/decoder"), await script("writer/live")];
    // Texts one after the other: what the figure remembers of one serves the next.
    const oneAfterTheOther = (w, texts, choice, sizes) => {
      const memory = page.emptyMemory(sizes.nLayers);
      return texts.map(([ids, numbers]) => page.continueText(w, ids, numbers, choice, sizes, memory));
    };
    const weights = page.unpack(packed, parts), withWeights = ["continueText", "multiplications", "oneAfterTheOther"];
    return calls.map(([name, ...rest]) => {
      const call = { ...costs, ...live, ...page, oneAfterTheOther }[name];
      return withWeights.includes(name) ? call(weights, ...rest) : call(...rest);
    });
  },
};

let input = "";
for await (const piece of process.stdin) input += piece;
const [scene, data] = JSON.parse(input);
process.stdout.write(JSON.stringify(await scenes[scene](data)));

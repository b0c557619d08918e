import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ModelCallError, type Reranker } from '../../../src/models/index.ts';
import { countWords } from '../../../src/summary/index.ts';
import { CITY } from '../../support/documents.ts';
import { InProcessEngine } from '../../support/in-process-engine.ts';
import { testDeps } from '../../support/test-deps.ts';
import { partsWithModel } from './run-command.ts';
import { BULLETS, figuresIn, folderOf, HAY, MAP, RANDOM, runSystems, setsOf } from './run-samples.ts';

const NAIVE = { name: 'naive', options: { selection: { strategy: 'naive' } }, requires: 'model' };
const [SALES, TRAMS] = HAY.cases;

/** Lines that `--outputs` wrote. */
function written(path: string): {
  readonly set: string;
  readonly case: string;
  readonly system: string;
  readonly sentences: readonly { readonly text: string; readonly documents: readonly string[] }[];
  readonly given: readonly string[];
}[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('prints the means of systems, and leaves out what needs a model by name', async () => {
  const page = join(folderOf({}), 'page.html');
  const { code, stdout, stderr } = await runSystems({
    systems: [MAP, RANDOM, NAIVE],
    more: { metrics: undefined },
    args: ['--html', page],
  });
  expect(code).toBe(0);
  expect(stderr).toContain('Left out, as they need a language model and none is configured: naive\n');
  expect(stderr).toContain('running hay 6/6');
  expect(stdout).toMatch(/^A run\nscores by .*hashed-words.*, but for those by labels\n/);
  expect(stdout).toMatch(/^left out: The embedded judge does not score "key-point-recall"/m);
  for (const title of [
    'citation precision (kappa 0.57 of 1083)',
    'citation recall (kappa 0.57 of 1083)',
    'citation recall by labels ',
  ]) {
    expect(stdout).toContain(title);
  }
  expect(stdout).toContain('hay: 2 systems, the baseline is "map"; 3 cases; ');
  for (const title of ['joint by labels', 'source coverage by the place of the document', 'by domain']) {
    expect(stdout).toContain(title);
  }
  expect(stdout).not.toContain('could not be read');
  const { sets } = await setsOf({ systems: [NAIVE, MAP, RANDOM], args: ['--limit', '1'] });
  // The baseline by default is the first; where that is left out, the first that is not.
  expect(sets[0]).toMatchObject({ baseline: 'map', main: 'labelled.joint', skipped: ['naive'] });
  expect(readFileSync(page, 'utf8')).toContain('<h1>A run</h1>');
});

test('a case that does not say what to retrieve is left out for the systems that retrieve', async () => {
  const found = { name: 'found', options: BULLETS, retrieval: { by: 'bm25' } };
  const given = { systems: [MAP, found, { name: 'turned', options: BULLETS, orders: true }] };
  const { stderr, code } = await runSystems(given);
  expect(code).toBe(0);
  expect(stderr).toContain('hay, found: left out, as nothing says what to retrieve: all\n');
  expect(stderr).toContain('hay, turned, top: left out, as nothing says what to retrieve: all\n');
  expect(stderr).not.toContain('hay, map: left out');
  const { sets } = await setsOf(given);
  expect(sets[0].outputs.filter(({ datum }) => datum === 'all').map(({ arm }) => arm)).toEqual([
    'map',
    'turned, random',
  ]);
});

describe('what a system is given', () => {
  test('is what its retrieval finds, and the words of that', async () => {
    const outputs = join(folderOf({}), 'outputs.jsonl');
    const oracle = { name: 'oracle', options: BULLETS, retrieval: { by: 'oracle', budget: 200, order: 'top' } };
    const { sets } = await setsOf({
      systems: [MAP, oracle],
      sets: [{ files: ['hay.json'], limit: 2 }],
      args: ['--outputs', outputs],
    });
    const lines = written(outputs);
    expect(lines).toHaveLength(4);
    const figures = figuresIn(sets[0]);
    const all = CITY.reduce((sum, { text }) => sum + countWords(text), 0);
    expect(figures['sales: map']['input.words']).toBe(all);
    for (const { case: id, system, given, sentences } of lines) {
      if (system === 'map') {
        expect(given).toEqual(CITY.map((document) => document.id));
        continue;
      }
      expect(given[0]).toBe(id === 'sales' ? 'shops' : 'tram');
      expect(given.length).toBeLessThan(CITY.length);
      expect(sentences.flatMap(({ documents }) => documents).filter((cited) => !given.includes(cited))).toEqual([]);
      const words = figures[`${id}: oracle`]['input.words'] ?? Number.NaN;
      // Its last document may be cut.
      const whole = given.map((one) => countWords(CITY.find((document) => document.id === one)?.text ?? ''));
      expect(words).toBeLessThanOrEqual(whole.reduce((sum, each) => sum + each, 0));
      expect(words).toBeGreaterThan(whole[0]);
    }
    // The garden has a question, and was not given: it counts, and has no place in the curve.
    const curve = sets[0].curves.find(({ system }) => system === 'oracle');
    expect(JSON.stringify(curve)).toContain('"n":1');
    expect(JSON.stringify(curve)).not.toContain('"n":2');
    expect([0, 50]).toContain(figures['sales: oracle']['sources.coverage']);
  });

  test('and how many key points it is asked for', async () => {
    const outputs = join(folderOf({}), 'outputs.jsonl');
    const bullets = async (keyPoints: unknown) => {
      const systems = [MAP, RANDOM];
      await runSystems({ systems, sets: [{ files: ['hay.json'], keyPoints, limit: 2 }], args: ['--outputs', outputs] });
      return written(outputs).map(({ sentences }) => sentences.length);
    };
    // A system that says how many itself is asked for those.
    expect(await bullets('insights')).toEqual([3, 4, 2, 4]);
    expect(await bullets(1)).toEqual([1, 4, 1, 4]);
  });
});

describe('outputs of other systems', () => {
  const THEIRS = { name: 'theirs', outputs: 'theirs.jsonl' };
  const line = (of: string, more: object = {}) => ({
    case: of,
    bullets: ['- Sales will fall [shops][meeting].'],
    ...more,
  });

  test('are read with their markers, where they have any', async () => {
    const files = {
      'theirs.jsonl': [
        line('sales', { system: 'theirs', cost: 0.5 }),
        line('sales', { system: 'another', bullets: ['Nothing.'] }),
        { case: 'trams', sentences: [{ text: 'Forty new drivers are needed [tram].', documents: ['tram', 'garden'] }] },
      ],
    };
    const { sets, code } = await setsOf({ systems: [MAP, THEIRS], files });
    expect(code).toBe(0);
    const figures = figuresIn(sets[0]);
    expect(Object.keys(figures).filter((key) => key.endsWith('theirs'))).toEqual(['sales: theirs', 'trams: theirs']);
    expect(figures['sales: theirs']).toMatchObject({
      'summhay.citation': 100,
      'digest.citedDocuments': 2 / 6,
      'digest.words': 3,
      'digest.cost': 0.5,
    });
    expect(figures['sales: theirs']).not.toHaveProperty('labelled.joint');
    // Two are cited, and one of them rightly.
    expect(figures['trams: theirs']['summhay.citation']).toBeCloseTo(200 / 3, 9);
    // A text with what it cites beside it is taken as it stands.
    expect(figures['trams: theirs']['digest.words']).toBe(6);
  });

  test('what --outputs wrote is scored alike, by the judge and by labels', async () => {
    const folder = folderOf({});
    const outputs = join(folder, 'outputs.jsonl');
    const systems = [MAP, { ...RANDOM, retrieval: { by: 'random', budget: 150 } }];
    const first = await setsOf({ systems, args: ['--outputs', outputs] });
    const again = await setsOf({
      systems: systems.map(({ name }) => ({ name, outputs: 'ours.jsonl' })),
      files: { 'ours.jsonl': readFileSync(outputs, 'utf8') },
    });
    const ofJudge = /^(?!labelled|passages|summhay|sources|keyPoints|argue|digest\.(words|wordsPer|cited))/;
    const before = figuresIn(first.sets[0], ofJudge);
    expect(Object.keys(before)).toHaveLength(6);
    const after = figuresIn(again.sets[0], ofJudge);
    for (const [place, figures] of Object.entries(before)) {
      for (const [key, value] of Object.entries(figures)) {
        // A summary may have framing, which is no part of what is written.
        if (!key.startsWith('digest.')) expect(after[place][key], `${place} ${key}`).toBe(value);
      }
    }
    expect(again.sets[0].curves).toEqual(first.sets[0].curves);
    // Written once more, the same.
    const second = join(folder, 'second.jsonl');
    await runSystems({
      systems: systems.map(({ name }) => ({ name, outputs: 'ours.jsonl' })),
      files: { 'ours.jsonl': readFileSync(outputs, 'utf8') },
      args: ['--outputs', second],
    });
    expect(readFileSync(second, 'utf8')).toBe(readFileSync(outputs, 'utf8'));
  });

  test('a case that is not run may be answered', async () => {
    const files = { 'theirs.jsonl': [line('sales'), line('trams')] };
    const { sets } = await setsOf({ systems: [THEIRS], sets: [{ files: ['hay.json'], limit: 1 }], files });
    expect(Object.keys(figuresIn(sets[0]))).toEqual(['sales: theirs']);
  });

  test.each<[string, unknown, string]>([
    ['unknown cases', [line('nobody')], 'record 0: /case is not the id of a case of the sets'],
    ['unknown sets', [line('sales', { set: 'straw' })], 'record 0: /set is not the name of one of the sets'],
    [
      'repeated cases',
      [line('sales', { set: 'hay' }), line('sales', { set: 'hay' })],
      'line 2: /case was answered before',
    ],
    ['cases of several sets', [line('sales')], 'record 0: /set is needed: several sets have a case of this id'],
    ['another system', [line('sales', { set: 'hay', system: 'ours' })], 'theirs.jsonl: holds no outputs of "theirs"'],
    ['an empty file', '', 'theirs.jsonl'],
    ['no JSON', 'Sales will fall.', 'theirs.jsonl'],
    ['neither form', [{ case: 'sales', set: 'hay' }], 'needs either "sentences" or "bullets"'],
    ['documents of nowhere', [line('sales', { set: 'hay', given: ['shops', 'moon'] })], '/given/1 is not the id of'],
    ['a document twice', [line('sales', { set: 'hay', given: ['shops', 'shops'] })], '/given/1 is a duplicate id'],
    ...[
      [{ document: 'moon', start: 0, end: 3 }, 'quote is not the id of one of the documents'],
      [{ document: 'shops', start: 3, end: 3 }, 'quote ends before it begins'],
      [{ document: 'shops', start: 0, end: 1e6 }, 'quote ends behind its document'],
    ].map(([quote, detail]): [string, unknown, string] => {
      const sentences = [{ text: 'Sales fell.', documents: ['shops'], quote }];
      return ['quotes', [{ case: 'sales', set: 'hay', sentences }], `/sentences/0/${detail}`];
    }),
  ])('%s are named', async (_, theirs, message) => {
    const run = runSystems({
      systems: [THEIRS],
      sets: [{ files: ['hay.json'] }, { name: 'straw bale', files: ['hay.json'] }],
      files: { 'theirs.jsonl': theirs },
    });
    await expect(run).rejects.toThrow(message);
  });
});

test('goes on where an earlier run ended; --restart makes all again, and --limit the first cases', async () => {
  const deps = testDeps();
  const first = await setsOf({ args: ['--limit', '1'], deps });
  expect(first.sets[0].run).toMatchObject({ made: 2, known: 0 });
  const all = await setsOf({ deps });
  expect(all.sets[0].run).toMatchObject({ made: 4, known: 2 });
  expect(all.stderr).toContain('running hay 6/6, 2 known from before');
  const fresh = await setsOf({});
  const { run: _, ...figures } = all.sets[0];
  const { run: __, ...anew } = fresh.sets[0];
  expect(figures).toEqual(anew);
  // What was digested is not digested again for the sake of another score.
  const marked = { ...HAY, cases: [{ ...SALES, questions: [] }, TRAMS] };
  const read = deps.engine.extracted.length;
  const other = await setsOf({ deps, files: { 'hay.json': marked } });
  expect(other.sets[0].run).toMatchObject({ made: 2, known: 2 });
  expect(deps.engine.extracted).toHaveLength(read);
  expect((await setsOf({ deps, args: ['--restart'] })).sets[0].run).toMatchObject({ made: 6, known: 0 });
});

test('told to stop it prints nothing, and says that what is made is kept', async () => {
  const deps = testDeps();
  await runSystems({ deps, args: ['--limit', '1'] });
  const page = join(folderOf({}), 'page.html');
  const stopped = await runSystems({ deps, args: ['--html', page], signal: AbortSignal.abort() });
  expect(stopped).toMatchObject({ code: 130, stdout: '' });
  expect(stopped.stderr).toContain('Stopped. What is made is kept: the same command goes on from there.');
  expect(existsSync(page)).toBe(false);
  expect((await setsOf({ deps })).sets[0].run).toMatchObject({ made: 4, known: 2 });
});

describe('while it finds out what systems are given', () => {
  const found = { name: 'found', options: BULLETS, retrieval: { by: 'embedding' } };

  test('it tells how far it is, where that takes a while', async () => {
    const { stderr } = await runSystems({ systems: [MAP, found] });
    expect(stderr).toContain('planning hay 1/3\n');
    expect(stderr).toContain('planning hay 3/3\n');
    expect((await runSystems({ args: ['--limit', '1'] })).stderr).not.toContain('planning');
  });

  test('an endpoint that fails ends it, and the same command goes on', async () => {
    let [isDown, scored] = [true, 0];
    const reranker: Reranker = {
      profile: { id: 'rerank/test', languages: null, matched: 0.1 },
      async score(query, texts) {
        if (isDown && query !== SALES.intent) throw new ModelCallError('unreachable', 'The reranker does not answer.');
        scored++;
        return new Float64Array(texts.length);
      },
    };
    const deps = testDeps({ engine: new InProcessEngine({}, { ranks: reranker }) });
    const given = { systems: [{ ...found, retrieval: { by: 'reranker' } }], deps };
    const failed = await runSystems(given);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain(
      'The reranker does not answer. What is retrieved is kept: the same command goes on from there.\n',
    );
    isDown = false;
    expect((await runSystems(given)).code).toBe(0);
    // What was ranked for the first case is not ranked again.
    expect(scored).toBe(2);
  });
});

test('an output that fails does not sink the others: it is listed, and is not among the outputs', async () => {
  const deps = testDeps();
  const bad = { id: 'bad', documents: [{ id: 'x', text: 'This one cannot be read.' }] };
  const bound = (document: string) => ({
    insights: [{ id: 'i', text: 'It is so.', documents: [document] }],
    keyPoints: [{ text: 'It is so.' }],
    passages: [{ document, start: 0, end: 10, insights: ['i'] }],
  });
  const half = { id: 'half', documents: [...bad.documents, CITY[1]] };
  for (const { text } of bad.documents) deps.engine.unreadable.add(text);
  const set = {
    ...HAY,
    collections: [bad, half, ...HAY.collections],
    cases: [{ ...bound('x'), id: 'none', collection: 'bad' }, { id: 'part', collection: 'half' }, SALES],
  };
  const outputs = join(folderOf({}), 'outputs.jsonl');
  const { code, sets, stderr } = await setsOf({
    deps,
    systems: [MAP],
    files: { 'hay.json': set },
    args: ['--outputs', outputs],
  });
  expect(code).toBe(1);
  expect(sets[0].failed).toEqual([{ datum: 'none', arm: 'map', problem: 'None of the documents could be read.' }]);
  expect(stderr).toContain('hay, none, map: None of the documents could be read.\n');
  // An empty answer, which the means count.
  const { figures } = sets[0].outputs.find(({ datum }) => datum === 'none') ?? { figures: {} };
  expect(figures).toMatchObject({ 'digest.words': 0, 'labelled.joint': 0, 'labelled.recall': 0 });
  // The embedded judge does not score key points.
  expect(figures).not.toHaveProperty('keyPoints.recall');
  expect(stderr).toContain(
    `Not in ${outputs}, as they failed, a part of them did, or they are too long to be kept: 2\n`,
  );
  expect(written(outputs).map((each) => each.case)).toEqual(['sales']);
});

describe('with a language model', () => {
  const systems = [{ name: 'theirs', outputs: 'theirs.jsonl' }];
  const files = { 'theirs.jsonl': [{ case: 'sales', bullets: ['Sales will fall [shops].'] }] };
  const llm = ['--judge', 'llm'];

  test('says what it will ask, and asks whether to go on', async () => {
    const { deps, server } = await partsWithModel(() => ({ text: 'I would rather not.' }));
    await expect(runSystems({ systems, files, deps, args: llm })).rejects.toThrow('say --yes');
    const refused = await runSystems({ systems, files, deps, args: [...llm, '--model', 'scripted'], typed: 'n\n' });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /benchmark run: about 5 calls of scripted, \d+ \+ \d+ tokens, at a cost of about [\d.]+\./,
    );
    expect(server.requests).toHaveLength(0);
    // The embedded judge asks nothing of it.
    expect((await runSystems({ systems, files, deps })).code).toBe(0);
    expect(server.requests).toHaveLength(0);
  });

  test('what an earlier run made is not expected to be made again, but to be judged', async () => {
    const { deps } = await partsWithModel(() => ({ text: 'I would rather not.' }));
    const written = { name: 'written', options: { ...BULLETS, engine: { writer: 'llm' } } };
    const given = { systems: [written], sets: [{ files: ['hay.json'], limit: 1 }], deps };
    const expected = async (args: readonly string[]) => {
      const { stderr } = await runSystems({ ...given, args, typed: 'n\n' });
      return Number(/about (\d+) calls/.exec(stderr)?.[1] ?? 0);
    };
    expect([await expected([]), await expected(llm)]).toEqual([2, 7]);
    expect((await runSystems({ ...given, args: ['--yes'] })).code).toBe(0);
    expect([await expected([]), await expected(llm), await expected([...llm, '--restart'])]).toEqual([0, 5, 7]);
  });
});

describe('what is wrong is named before anything is made', () => {
  const wrong = (given: Parameters<typeof runSystems>[0]) =>
    runSystems(given).then(
      () => 'nothing was wrong',
      (error: Error) => error.message,
    );

  test.each<[string, Parameters<typeof runSystems>[0], readonly string[]]>([
    ['no systems', { systems: [] }, ['run.json record 0: /systems']],
    ['fields of nobody', { more: { colour: 'red' } }, ['run.json record 0: /colour']],
    ['metrics', { more: { metrics: ['rouge'] } }, ['run.json record 0: /metrics/0']],
    [
      'a baseline of nobody',
      { more: { baseline: 'best' } },
      ['run.json record 0: /baseline names "best", which is none of the systems'],
    ],
    ['names of systems', { systems: [MAP, MAP] }, ['run.json record 0: /systems gives "map" twice']],
    [
      'names of sets',
      { sets: [{ files: ['hay.json'] }, { files: ['hay.json'] }] },
      ['run.json record 0: /sets gives "hay" twice'],
    ],
    [
      'options',
      {
        systems: [
          { name: 'a', options: { selection: { strategy: 'best' } } },
          { name: 'b', options: {}, sweep: { 'selection.size.keyPoints': [1, 0] } },
        ],
      },
      ['/systems/0/options/selection/strategy', '/systems/1/options/selection/size', '(of "b, keyPoints 0")'],
    ],
    [
      'systems without a name, and retrieval that contradicts itself',
      {
        systems: [
          { ...MAP, name: '' },
          { ...MAP, retrieval: { by: 'bm25', name: 'bert' } },
          { ...MAP, retrieval: [{ by: 'bm25' }, { by: 'full', order: 'ranked' }] },
        ],
      },
      [
        'run.json record 0: /systems/0/name must',
        '/systems/1/retrieval/name names an encoder or a reranker, and this retrieval uses neither',
        '/systems/2/retrieval/1/order cannot be "ranked"',
      ],
    ],
    [
      'what needs a model and does not say so',
      { systems: [MAP, { name: 'w', options: { engine: { writer: 'llm' } } }] },
      ['run.json system "w": /options/engine/writer needs a language model'],
    ],
    [
      'an encoder that is not here',
      { systems: [{ ...MAP, retrieval: { by: 'embedding', name: 'bert' } }] },
      ['run.json system "map": /retrieval/name There is no encoder "bert"; available'],
    ],
    [
      'sets',
      {
        files: {
          'hay.json': {
            ...HAY,
            cases: [
              { ...SALES, insights: [SALES.insights?.[0], SALES.insights?.[0]] },
              { ...TRAMS, passages: [{ document: 'tram', start: 9, end: 3 }] },
              { id: 'x', collection: 'moon' },
            ],
          },
        },
      },
      [
        'hay.json',
        '/cases/0/insights/1/id is a duplicate id',
        '/cases/1/passages/0 ends before it begins',
        '/cases/2/collection is not the id of one of the collections',
      ],
    ],
  ])('%s', async (_, given, messages) => {
    const deps = testDeps();
    const told = await wrong({ ...given, deps });
    for (const message of messages) expect(told).toContain(message);
    expect(deps.engine.extracted).toEqual([]);
  });

  test.each([
    [['--limit', '0'], /--limit/],
    [['--judge', 'people'], /--judge/],
    [['--colour', 'red'], /--colour/],
    [['second.json'], /one only/],
    [['--judge', 'llm'], /--judge: needs/],
    [['--encoder', 'bert'], /--encoder/],
  ])('%j', async (args, message) => {
    await expect(runSystems({ args })).rejects.toThrow(message);
  });

  test('files that are not there, or cannot be written', async () => {
    expect(await wrong({ sets: [{ files: ['gone.json'] }] })).toContain('gone.json');
    expect(await wrong({ systems: [{ name: 'x', outputs: 'gone.jsonl' }] })).toContain('gone.jsonl');
    const nowhere = join(folderOf({}), 'no', 'page.html');
    expect(await wrong({ args: ['--limit', '1', '--html', nowhere] })).toContain('cannot be written');
  });
});

test('a list of retrievals is a system each, and a matrix of what summarises by what retrieves', async () => {
  const retrieval = [
    { by: 'oracle', budget: 60 },
    { by: 'full' },
    { by: 'bm25', budget: 60 },
    { by: 'bm25', budget: 90 },
  ];
  const { stdout, stderr, code } = await runSystems({ systems: [{ ...MAP, retrieval }, RANDOM] });
  expect(code, stderr).toBe(0);
  const [head, row, after] = stdout
    .split(/^joint by labels, by summariser and retriever, over the insights.*\n/m)[1]
    .split('\n');
  expect(head.trim().split(/ {3,}/)).toEqual([
    'summariser',
    'oracle',
    'full',
    ...retrieval.slice(2).map((each) => JSON.stringify(each)),
  ]);
  const [name, ...cells] = row.split(/ {3,}/);
  expect([name, after]).toEqual(['map', expect.stringMatching(/^\* of fewer than 20/)]);
  const meanOf = (system: string) =>
    stdout
      .split(/\nmeans, with 95% bootstrap intervals.*\n/)[1]
      .split('\n')
      .find((line) => line.startsWith(`${system}  `))
      ?.split(/ {3,}/)[2];
  expect(cells.slice(0, 2).map((cell) => cell.split(' ')[0])).toEqual(
    ['map, oracle', 'map, full'].map((system) => meanOf(system)?.split(' ')[0]),
  );
  expect(cells[0]).toMatch(/^\d+\.\d\* \[\d+\.\d, \d+\.\d\]/);
});

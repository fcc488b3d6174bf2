import fc from 'fast-check';
import { BodyAgreement } from './body-agreement.js';
import { report, runs } from './runs.js';
import { placesIn } from './schema-mutations.js';
import { everyBody } from './valid-bodies.js';

describe('the API document and the API', () => {
  let agreement: BodyAgreement;

  beforeAll(async () => {
    agreement = await BodyAgreement.open();
  });

  it('agree on each accepted body with one change', () => {
    // All of them take a minute. A shorter suite tries one in eight, others by its seed.
    const every = runs < 1_000 ? 8 : 1;
    const offset = Number(process.env.FUZZ_SEED ?? 0) % every;
    let count = 0;
    for (const [route, body] of everyBody) {
      for (const [index, { change, make }] of agreement.mutantsOf(route, body).entries()) {
        if (index % every !== offset) continue;
        count += 1;
        const disagreement = agreement.compare(route, change, make());
        if (disagreement) throw new Error(JSON.stringify(disagreement, null, 2));
      }
    }
    report(`bodies with one change: ${count}, on which the document and the API agree`);
  });

  it('agree on accepted bodies with up to four changes', () => {
    const { FUZZ_SEED: seed, FUZZ_PATH: path } = process.env;
    const cases = fc.tuple(
      fc.constantFrom(...everyBody),
      fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 2, maxLength: 4 }),
    );
    fc.assert(
      fc.property(cases, ([[route, example], choices]) => {
        let body = example;
        const changes: string[] = [];
        for (const [where, choice] of choices) {
          const places = placesIn(body);
          const mutants = agreement.mutantsOf(route, body, [places[where % places.length] ?? []]);
          const mutant = mutants[choice % mutants.length];
          if (!mutant) continue;
          body = mutant.make();
          changes.push(mutant.change);
        }
        const disagreement = agreement.compare(route, changes.join('; '), body);
        if (disagreement) throw new Error(JSON.stringify(disagreement, null, 2));
      }),
      {
        numRuns: runs,
        ...(seed !== undefined && { seed: Number(seed) }),
        ...(path !== undefined && { path }),
      },
    );
  });
});

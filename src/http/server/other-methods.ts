import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors/app-error.js';

/** Some addresses answer in WhatsApp's form, and that there are metrics is nobody's business. */
const isTold = (url: string) =>
  !url.startsWith('/api/v1/platform/') && !url.startsWith('/graph/') && url !== '/metrics';

const inWords = new Intl.ListFormat('en', { type: 'disjunction' });

/**
 * Answers 405 with `Allow` for a path that exists with other methods, before anything else about the request. A path
 * that a route names in full counts as that route's, even where it has the form of another route's parameter.
 */
export function refuseOtherMethods(server: FastifyInstance): void {
  /** Path, or the pattern of one → methods. */
  const literals = new Map<string, Set<string>>();
  const patterns = new Map<string, { parts: readonly string[]; methods: Set<string> }>();

  function methodsOf(url: string): Set<string> {
    if (!url.includes('/:')) {
      const methods = literals.get(url) ?? new Set();
      literals.set(url, methods);
      return methods;
    }
    const pattern = patterns.get(url) ?? { parts: url.split('/'), methods: new Set() };
    patterns.set(url, pattern);
    return pattern.methods;
  }

  server.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*') || !isTold(url)) return;
    for (const each of [method].flat()) methodsOf(url).add(each);
  });

  server.addHook('onRequest', (request, reply, done) => {
    const [path = ''] = request.url.split('?', 1);
    // Most requests name their route, and need no more than this comparison.
    const isKnown = !request.is404 && request.routeOptions.url === path;
    if (isKnown || request.method === 'HEAD') return done();
    const literal = literals.get(path);
    const allowed = literal ?? (request.is404 ? matching(path) : undefined);
    if (!allowed || allowed.size === 0 || allowed.has(request.method)) return done();
    const methods = [...allowed].toSorted();
    void reply.header('allow', methods.join(', '));
    const wanted = methods.filter((method) => method !== 'HEAD');
    done(
      new AppError('METHOD_NOT_ALLOWED', {
        message: `${request.method} is not possible here: send it with ${inWords.format(wanted)}.`,
        details: { allow: methods },
      }),
    );
  });

  function matching(path: string): Set<string> {
    const given = path.split('/');
    const found = [...patterns.values()].filter(({ parts }) => isOf(given, parts));
    return new Set(found.flatMap(({ methods }) => [...methods]));
  }
}

/** Whether a path has the form of a pattern such as `/keys/:id`. */
function isOf(path: readonly string[], pattern: readonly string[]): boolean {
  return (
    path.length === pattern.length &&
    pattern.every((part, at) => (part.startsWith(':') ? path[at] !== '' : part === path[at]))
  );
}

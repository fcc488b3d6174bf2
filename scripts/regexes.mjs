// Part of `npm run lint`: every regular expression of the product must run in linear time, whatever text it gets.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { checkSync } from 'recheck';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '..');

/** What runs with texts from outside. */
const folders = ['src', 'libs', 'web/src', 'clients', 'docs/examples'];

/** The checker's patience, in milliseconds: long, because what takes longer than it counts as not linear. */
const timeout = 60_000;
const limits = { timeout, attackTimeout: timeout, incubationTimeout: timeout };

const found = folders.flatMap((folder) => sourcesIn(join(root, folder)).flatMap(expressionsOf));
const distinct = new Map(found.map((one) => [`/${one.source}/${one.flags}`, one]));
const problems = [...distinct].flatMap(([text, { place, source, flags }]) => {
  const { status, complexity } = checkSync(source, flags, limits);
  if (status === 'safe' && complexity?.type !== 'polynomial') return [];
  return [`${place}: ${text} is ${complexity?.summary ?? status}`];
});
for (const problem of problems) console.error(problem);
console.log(`${distinct.size} regular expressions, ${problems.length} not linear`);
process.exitCode = problems.length === 0 ? 0 : 1;

function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.endsWith('.spec.ts'));
}

/** The literals of a file, and the texts that it gives to `RegExp` as they stand. */
function expressionsOf(path) {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const expressions = [];
  const add = (node, source, flags) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    expressions.push({ place: `${relative(root, path)}:${line + 1}`, source, flags });
  };
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, source, flags] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? [];
      add(node, source, flags);
    } else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && isRegExp(node)) {
      const [pattern] = node.arguments ?? [];
      if (!pattern || !ts.isStringLiteralLike(pattern)) {
        throw new Error(
          `${relative(root, path)} makes a regular expression that cannot be checked`,
        );
      }
      add(node, pattern.text, '');
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return expressions;
}

function isRegExp({ expression }) {
  return ts.isIdentifier(expression) && expression.text === 'RegExp';
}

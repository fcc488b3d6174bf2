// Reads what jest has written with --json, for .ci/run.
//   node results.mjs failed FILE    the suites that failed, one on each line
//   node results.mjs reasons FILE   the tests that failed, each with the first lines of its error
//   node results.mjs count FOLDER   counts the tests; of a suite that was asked again, the second answer
//                                   (NAME-again.json) counts
//   node results.mjs failures FOLDER  names the tests that failed, one on each line, counted the same way
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (file) => JSON.parse(readFileSync(file, 'utf8')).testResults;
const hasFailed = ({ status }) => status === 'failed';

const [command, path] = process.argv.slice(2);
if (command === 'failed') {
  for (const suite of read(path).filter(hasFailed)) console.log(suite.name);
} else if (command === 'reasons') {
  for (const { assertionResults } of read(path)) {
    for (const { fullName, failureMessages } of assertionResults.filter(hasFailed)) {
      const lines = (failureMessages[0] ?? '').split('\n').filter((line) => line.trim() !== '');
      console.log([fullName, ...lines.slice(0, 6)].join('\n    '));
    }
  }
} else {
  const suites = new Map();
  // NAME-again.json comes after NAME.json in this order.
  const files = readdirSync(path).filter((file) => file.endsWith('.json'));
  for (const file of files.toSorted((a, b) => a.length - b.length)) {
    // The same file of tests runs under two names where it is tested on two stores.
    const run = file.replace(/(-again)?\.json$/, '');
    for (const suite of read(join(path, file))) suites.set(`${run} ${suite.name}`, suite);
  }
  const tests = [...suites.values()].flatMap(({ assertionResults }) => assertionResults);
  const count = (status) => tests.filter((test) => test.status === status).length;
  // A suite that could not even be loaded has no tests to show.
  const broken = [...suites.values()].filter(
    (suite) => hasFailed(suite) && !suite.assertionResults.some(hasFailed),
  );
  if (command === 'count') {
    console.log(count('passed'), count('failed') + broken.length);
  } else {
    for (const test of tests.filter(hasFailed)) console.log(test.fullName);
    for (const suite of broken) console.log(`${suite.name}: ${suite.message.split('\n', 1)[0]}`);
  }
}

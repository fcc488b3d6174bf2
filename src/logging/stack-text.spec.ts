import { stackText } from './stack-text.js';

it('a stack names our sources and Node, and no place in a bundle', () => {
  const error = new Error('no');
  error.stack = [
    'Error: no',
    '    at Client.query (/opt/parley/dist/chunks/pg-B1zJUCSi.cjs:12:34)',
    '    at Reads.list (/opt/parley/src/messages/reads/message-reads.ts:201:5)',
    '    at async Promise.all (index 0)',
    '    at async /opt/parley/dist/src/main.cjs:1:2',
    '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
  ].join('\n');
  expect(stackText(error)?.split('\n')).toEqual([
    'Error: no',
    '    at Reads.list (/opt/parley/src/messages/reads/message-reads.ts:201:5)',
    '    at async Promise.all (index 0)',
    '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
  ]);
});

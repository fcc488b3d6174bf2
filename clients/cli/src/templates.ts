import type { Command } from 'commander';
import type { Template } from '../../typescript/src/index.js';
import { addConnectionOptions, answerOf, type ConnectionOptions, connect } from './connection.js';
import { columns, print } from './output.js';

interface TemplateOptions extends ConnectionOptions {
  readonly name?: string;
  readonly language?: string;
  readonly status?: string;
  readonly configured?: boolean;
}

const details = `
A template is configured if the key has a mapping for it: then parley send template takes
its variables, which stand at the end of the line.

Examples:
  parley templates list
  parley templates list --status APPROVED --configured --json`;

export function addTemplates(program: Command): void {
  const templates = program.command('templates').description('Shows the templates of the account.');
  addConnectionOptions(
    templates
      .command('list')
      .description('Lists the templates of the account.')
      .option('--name <name>', 'with this name')
      .option('--language <code>', 'in this language, such as en_US')
      .option('--status <status>', 'that WhatsApp calls APPROVED, PENDING, REJECTED …')
      .option('--configured', 'that the key has a mapping for')
      .addHelpText('after', details),
  ).action(list);
}

async function list(options: TemplateOptions): Promise<void> {
  const { name, language, status, configured } = options;
  const connection = connect(options);
  const filter = { name, language, status, configured, limit: 200 };
  const showAll = async () => {
    for await (const template of connection.parley.eachTemplate(filter)) {
      print(options, template, lineOf(template));
    }
  };
  await answerOf(connection, showAll());
}

function lineOf({ name, language, status, category, configured, variables }: Template): string {
  return columns(
    [name, 32],
    [language, 7],
    [status, 9],
    [category, 14],
    [configured ? 'configured' : '', 10],
    [variables.map((variable) => variable.name).join(', '), 0],
  );
}

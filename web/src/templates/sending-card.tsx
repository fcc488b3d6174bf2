import type { Template } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { type DraftLine, shownValue } from './mapping/mapping-draft.ts';

/** The body that a program posts to send the template with this mapping. */
export function SendingCard({
  template,
  lines,
}: {
  template: Template;
  lines: readonly DraftLine[];
}) {
  const body = {
    to: '+447700900142',
    template_name: template.name,
    language: template.language,
    variables: Object.fromEntries(
      lines
        .filter(({ name, byDefault }) => name.trim() !== '' && byDefault === '')
        .map((line) => [line.name.trim(), shownValue(line)]),
    ),
  };
  return (
    <Card
      title="How a program sends it"
      aside={<code className="small">POST …/messages/template/send</code>}
    >
      <CodeBlock language="json" code={JSON.stringify(body, null, 2)} />
    </Card>
  );
}

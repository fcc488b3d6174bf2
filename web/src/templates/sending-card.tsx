import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { Template } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { codeLanguages } from '../parts/code-languages.ts';
import { lazyPart } from '../parts/lazy-part.tsx';
import { usePlace } from '../session/session.tsx';
import { type DraftLine, shownValue } from './mapping/mapping-draft.ts';
import type { playgroundSearch } from './playground-link.ts';

const RequestCode = lazyPart(() => import('../parts/request-code.tsx'), 'RequestCode');

const route = '/api/v1/external/messages/template/send';

interface SendingCardProps {
  readonly template: Template;
  readonly lines: readonly DraftLine[];
  /** Where the template can be tried. */
  readonly tried: ReturnType<typeof playgroundSearch>;
}

/** The request by which a program sends the template with this mapping. */
export function SendingCard({ template, lines, tried }: SendingCardProps) {
  const { session } = usePlace();
  const [language, setLanguage] = useState('JSON');
  const body = JSON.stringify(
    {
      to: '+447700900142',
      template_name: template.name,
      language: template.language,
      variables: Object.fromEntries(
        lines
          .filter(({ name, byDefault }) => name.trim() !== '' && byDefault === '')
          .map((line) => [line.name.trim(), shownValue(line)]),
      ),
    },
    null,
    2,
  );
  const json = <CodeBlock language="json" code={body} />;
  return (
    <Card
      title="How a program sends it"
      aside={
        tried && (
          <Link to="/playground" search={tried}>
            Open in playground
          </Link>
        )
      }
    >
      <div className="spread wrap card-body">
        <fieldset className="segments">
          <legend className="unseen">Language</legend>
          {codeLanguages.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === language}
              onClick={() => setLanguage(each)}
            >
              {each}
            </button>
          ))}
        </fieldset>
        <code className="small">POST …/messages/template/send</code>
      </div>
      {language === 'JSON' ? (
        json
      ) : (
        <Suspense fallback={json}>
          <RequestCode language={language} url={`${session.public_url}${route}`} body={body} />
        </Suspense>
      )}
    </Card>
  );
}

import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../parts/code-block.tsx';
import { curlOf, pythonOf, typescriptOf } from '../parts/code-samples.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { brokenLine } from './broken-line.ts';
import { JsonEditor } from './json-editor.tsx';

interface CodeCardProps {
  /** The body as it is being written. */
  readonly text: string;
  readonly isBroken: boolean;
  readonly faults: readonly string[];
  readonly route: string;
  /** Where callers reach the API. */
  readonly origin: string;
  /** The last body that is JSON. */
  readonly body: string;
  readonly onText: (text: string) => void;
}

const languages = ['JSON', 'curl', 'TypeScript', 'Python'];

/** The request: its body to edit, and the whole of it in three languages. */
export function CodeCard(props: CodeCardProps) {
  const { text, isBroken, faults, route, origin, body, onText } = props;
  const [language, setLanguage] = useState('JSON');
  const broken = isBroken ? brokenLine(text) : null;
  const request = { url: `${origin}${route}`, body };
  return (
    <section className="card" aria-label="Request">
      <div className="card-head">
        <SegmentedControl
          size="xs"
          aria-label="Language"
          data={languages}
          value={language}
          onChange={setLanguage}
        />
        {language === 'JSON' && <CopyButton value={text} label="Copy JSON" />}
      </div>
      <div className="route">
        <b>POST</b> {route}
      </div>
      {language === 'JSON' ? (
        <>
          <JsonEditor value={text} broken={broken} faults={faults} onChange={onText} />
          {broken !== null && (
            <p className="editor-fault small wrong" role="alert">
              This is not a JSON object. Line {broken + 1} is invalid. The form keeps the last valid
              one.
            </p>
          )}
        </>
      ) : language === 'curl' ? (
        <CodeBlock language="shell" code={curlOf(request)} maxHeight={560} />
      ) : language === 'TypeScript' ? (
        <CodeBlock language="typescript" code={typescriptOf(request)} maxHeight={560} />
      ) : (
        <CodeBlock language="python" code={pythonOf(request)} maxHeight={560} />
      )}
    </section>
  );
}

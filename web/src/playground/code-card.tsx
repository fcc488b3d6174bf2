import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { codeLanguages } from '../parts/code-languages.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { RequestCode } from '../parts/request-code.tsx';
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

/** The request: its body to edit, and the whole of it in three languages. */
export function CodeCard(props: CodeCardProps) {
  const { text, isBroken, faults, route, origin, body, onText } = props;
  const [language, setLanguage] = useState('JSON');
  const broken = isBroken ? brokenLine(text) : null;
  return (
    <section className="card" aria-label="Request">
      <div className="card-head">
        <SegmentedControl
          size="xs"
          aria-label="Language"
          data={codeLanguages}
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
      ) : (
        <RequestCode language={language} url={`${origin}${route}`} body={body} />
      )}
    </section>
  );
}

import { Tokens } from '../parts/code-block.tsx';
import { faultyLines } from './json-lines.ts';

interface JsonEditorProps {
  readonly value: string;
  /** The line that keeps it from being an object, from 0; null where it is one. */
  readonly broken: number | null;
  /** Paths of what is wrong. */
  readonly faults: readonly string[];
  readonly onChange: (text: string) => void;
}

/** A textarea over the same text in colours, with line numbers and marks at what is wrong. */
export function JsonEditor({ value, broken, faults, onChange }: JsonEditorProps) {
  const lines = value.split('\n');
  const faulty = broken === null ? faultyLines(value, faults) : new Set([broken]);
  return (
    <div className="editor">
      <div className="editor-numbers" aria-hidden="true">
        {lines.map((_, line) => (
          <div key={`${line}`} data-wrong={faulty.has(line)}>
            {line + 1}
          </div>
        ))}
      </div>
      <div className="editor-text">
        <pre aria-hidden="true">
          <Tokens code={value} language="json" />
          {'\n'}
        </pre>
        <textarea
          aria-label="Request body as JSON"
          aria-invalid={faulty.size > 0}
          spellCheck={false}
          autoCapitalize="off"
          wrap="off"
          value={value}
          rows={lines.length}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </div>
    </div>
  );
}

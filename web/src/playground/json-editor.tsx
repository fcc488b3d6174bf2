import { Tokens } from '../parts/code-block.tsx';

interface JsonEditorProps {
  readonly value: string;
  readonly isBroken: boolean;
  readonly onChange: (text: string) => void;
}

/** A textarea over the same text in colours, with line numbers. */
export function JsonEditor({ value, isBroken, onChange }: JsonEditorProps) {
  const lines = value.split('\n');
  return (
    <div className="editor">
      <div className="editor-numbers" aria-hidden="true">
        {lines.map((_, line) => (
          <div key={`${line}`}>{line + 1}</div>
        ))}
      </div>
      <div className="editor-text">
        <pre aria-hidden="true">
          <Tokens code={value} language="json" />
          {'\n'}
        </pre>
        <textarea
          aria-label="Request body as JSON"
          aria-invalid={isBroken}
          spellCheck={false}
          value={value}
          rows={lines.length}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </div>
    </div>
  );
}

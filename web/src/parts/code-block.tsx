import { type Language, tokensOf } from './code-tokens.ts';
import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  readonly code: string;
  readonly language: Language;
  /** How many pixels before it scrolls. */
  readonly maxHeight?: number;
}

/** Code in colours, with a button that copies it. */
export function CodeBlock({ code, language, maxHeight }: CodeBlockProps) {
  return (
    <div className="code">
      {/* A region that scrolls has to be reachable by keyboard. */}
      <pre tabIndex={0} role="region" aria-label={`${language} code`} style={{ maxHeight }}>
        <Tokens code={code} language={language} />
      </pre>
      <div className="code-copy">
        <CopyButton value={code} label="Copy code" />
      </div>
    </div>
  );
}

/** The coloured text alone. */
export function Tokens({ code, language }: { code: string; language: Language }) {
  return tokensOf(code, language).map(({ kind, text, at }) =>
    kind === null ? (
      text
    ) : (
      <span key={at} className={`tok-${kind}`}>
        {text}
      </span>
    ),
  );
}

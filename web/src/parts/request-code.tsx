import { CodeBlock } from './code-block.tsx';
import { curlOf, pythonOf, typescriptOf } from './code-samples.ts';

interface RequestCodeProps {
  readonly language: string;
  readonly url: string;
  readonly body: string;
}

/** A request of a program in one of the languages. */
export function RequestCode({ language, ...request }: RequestCodeProps) {
  if (language === 'curl') {
    return <CodeBlock language="shell" code={curlOf(request)} maxHeight={560} />;
  }
  return language === 'TypeScript' ? (
    <CodeBlock language="typescript" code={typescriptOf(request)} maxHeight={560} />
  ) : (
    <CodeBlock language="python" code={pythonOf(request)} maxHeight={560} />
  );
}

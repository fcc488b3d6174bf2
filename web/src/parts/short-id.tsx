import { CopyButton } from './copy-button.tsx';

interface ShortIdProps {
  readonly id: string;
  /** What it is the id of, for the button that copies it. */
  readonly name: string;
}

/** An id, short in the middle, with a button that copies the whole of it. */
export function ShortId({ id, name }: ShortIdProps) {
  return (
    <span className="short-id">
      <code title={id}>{id.length > 24 ? `${id.slice(0, 13)}…${id.slice(-6)}` : id}</code>
      <CopyButton value={id} label={`Copy ${name}`} />
    </span>
  );
}

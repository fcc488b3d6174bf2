import { CopyButton } from './copy-button.tsx';

interface ShortIdProps {
  readonly id: string;
  /** What it is the id of, for the button that copies it. */
  readonly name: string;
}

/** `01a1fdb2-f87d…1f2f96` */
export const shortId = (id: string) => (id.length > 24 ? `${id.slice(0, 13)}…${id.slice(-6)}` : id);

/** An id, short in the middle, with a button that copies the whole of it. */
export function ShortId({ id, name }: ShortIdProps) {
  return (
    <span className="short-id">
      <code title={id}>{shortId(id)}</code>
      <CopyButton value={id} label={`Copy ${name}`} />
    </span>
  );
}

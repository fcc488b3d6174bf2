/** A status code of HTTP, or that there was no answer. */
export function HttpCode({ status }: { status: number | null }) {
  const tone = status === null || status >= 400 ? 'red' : status >= 300 ? 'amber' : 'green';
  return (
    <span className="http" data-tone={tone}>
      {status ?? 'no answer'}
    </span>
  );
}

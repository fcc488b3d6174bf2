/**
 * The first of the offered encodings that `Accept-Encoding` takes; none without the header. See
 * RFC 9110, section 12.5.3.
 */
export function encodingFor<Name extends string>(
  header: string | undefined,
  offered: readonly Name[],
): Name | null {
  const weights = new Map(
    (header ?? '').split(',').map((each) => {
      const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, weight === undefined ? 1 : Number(weight.slice(2))] as const;
    }),
  );
  return offered.find((name) => (weights.get(name) ?? weights.get('*') ?? 0) > 0) ?? null;
}

import { encode } from 'uqr';

/** A QR code, black on white in either theme: cameras need that. */
export function TotpImage({ uri }: { uri: string }) {
  const { data, size } = encode(uri, { border: 4 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label="QR code for the authenticator"
      viewBox={`0 0 ${size} ${size}`}
      width="196"
      height="196"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

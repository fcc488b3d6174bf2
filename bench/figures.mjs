/** Nearest rank, over all the values: nothing is estimated. Null when there are none. */
export function percentile(sorted, fraction) {
  return sorted.length === 0 ? null : sorted[Math.ceil(sorted.length * fraction) - 1];
}

/** Null when there are none; values that were not measured do not count. */
export function median(values) {
  const sorted = values.filter(Number.isFinite).toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle];
  return sorted.length === 0 ? null : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Null for what was not measured. */
export function round(value, digits) {
  return Number.isFinite(value) ? Number(value.toFixed(digits)) : null;
}

/** 32-bit floats as the load generator writes them. */
export function decodeFloats(base64) {
  return new Float32Array(new Uint8Array(Buffer.from(base64, 'base64')).buffer);
}

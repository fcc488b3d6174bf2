const ipv4Part = /^\d{1,3}$/;
const hexGroup = /^[\da-f]{1,4}$/i;

/** What is wrong with an address or range, as a sentence; null when nothing is. */
export function addressFault(text: string): string | null {
  const [address = '', prefix, ...rest] = text.split('/');
  const isV6 = address.includes(':');
  const fault = isV6 ? ipv6Fault(address) : ipv4Fault(address);
  if (fault) return `“${text}” is not an address: ${fault}.`;
  if (rest.length > 0) return `“${text}” has more than one slash.`;
  const longest = isV6 ? 128 : 32;
  if (prefix !== undefined && (!/^\d{1,3}$/.test(prefix) || Number(prefix) > longest)) {
    return `“${text}” is not a range: the slash must be followed by a number from 0 to ${longest}.`;
  }
  return null;
}

function ipv4Fault(address: string): string | null {
  const parts = address.split('.');
  if (parts.length !== 4 || !parts.every((part) => ipv4Part.test(part))) {
    return 'it needs four numbers, such as 198.51.100.7';
  }
  if (parts.some((part) => Number(part) > 255)) return 'each part goes from 0 to 255';
  return parts.some((part) => part.length > 1 && part.startsWith('0'))
    ? 'a part has no leading zero'
    : null;
}

function ipv6Fault(address: string): string | null {
  const halves = address.split('::');
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const isShort = halves.length === 2;
  const fits =
    halves.length <= 2 &&
    groups.every((group) => hexGroup.test(group)) &&
    (isShort ? groups.length < 8 : groups.length === 8);
  return fits ? null : 'it has up to eight groups of hexadecimal digits, such as 2001:db8::1';
}

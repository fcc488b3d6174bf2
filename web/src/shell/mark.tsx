/** Parley's sign. */
export function Mark() {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
      <rect width="22" height="22" rx="6" fill="var(--accent)" />
      <rect x="4" y="6" width="10" height="4.5" rx="2.25" fill="#fff" />
      <rect x="8" y="12" width="10" height="4.5" rx="2.25" fill="#fff" opacity=".75" />
    </svg>
  );
}

// Runs before the first paint, so that a dark page does not flash white. It is a file of its own
// because the page's policy allows no inline script.
{
  const page = document.documentElement;
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  const dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  page.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  // Whoever has to sign in sees no frame first.
  page.toggleAttribute('data-signed-in', localStorage.getItem('parley-signed-in') !== null);
}

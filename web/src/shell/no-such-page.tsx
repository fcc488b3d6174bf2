import { Link } from '@tanstack/react-router';
import { PageHeader } from '../parts/page-header.tsx';

/** An address that leads nowhere. */
export function NoSuchPage() {
  return (
    <>
      <PageHeader title="There is no such page" sentence="The address may be old or mistyped." />
      <Link to="/">Go to the overview</Link>
    </>
  );
}

import '../styles/manage.css';
import { Link, useNavigate } from '@tanstack/react-router';
import { PageHeader } from '../parts/page-header.tsx';
import { OperatorsOnly } from '../session/operators-only.tsx';
import { AccountForm } from './account-form.tsx';

/** Makes an account. */
export function NewAccountPage() {
  const navigate = useNavigate();
  return (
    <OperatorsOnly title="Create an account">
      <div className="form-page">
        <PageHeader
          title="Create an account"
          crumb={<Link to="/accounts">Accounts</Link>}
          sentence="One WhatsApp business account with one number. It has its own keys, messages and templates."
        />
        <AccountForm
          account={null}
          onSaved={({ id }) =>
            void navigate({ to: '/accounts/$accountId', params: { accountId: id } })
          }
        />
      </div>
    </OperatorsOnly>
  );
}

/** One call of a session, as the tag that a model types when it stands in the place of the server. */
export interface ScriptedCall {
  readonly server: string;
  readonly tag: string;
}

/** A session of so many requests as a model with all definitions needs: a call in each, then the answer. */
export interface SessionScript {
  readonly name: string;
  readonly prompt: string;
  readonly calls: readonly ScriptedCall[];
}

function from(server: string, ...tags: readonly string[]): readonly ScriptedCall[] {
  return tags.map((tag) => ({ server, tag }));
}

/** What people ask of an agent with 38 servers: one to three of them are needed, and four to eight tools. */
export const SESSION_SCRIPTS: readonly SessionScript[] = [
  {
    name: 'review a merge request',
    prompt: 'Review merge request 318 of shop/web and leave a note with what has to change.',
    calls: from(
      'gitlab',
      '<get_merge_request:shop/web merge_request_iid=318>',
      '<list_merge_request_changed_files:shop/web merge_request_iid=318>',
      '<get_merge_request_file_diff:shop/web merge_request_iid=318 file_paths=src/cart.ts>',
      '<get_merge_request_file_diff:shop/web merge_request_iid=318 file_paths=src/price.ts,src/tax.ts>',
      '<get_file_contents:shop/web file_path=src/cart.ts ref=main>',
      '<get_merge_request_file_diff:shop/web merge_request_iid=318 file_paths=tests/cart.test.ts>',
      '<get_file_contents:shop/web file_path=tests/cart.test.ts ref=main>',
      '<create_merge_request_note:shop/web merge_request_iid=318 body="Rounding happens twice, in cart.ts and price.ts.">',
      '<create_merge_request_note:shop/web merge_request_iid=318 body="The new tax rate has no test.">',
    ),
  },
  {
    name: 'look into an incident',
    prompt: 'Checkout fails for some customers since noon. Find out why and open an issue in GitLab.',
    calls: [
      ...from(
        'sentry',
        '<search_issues:shop query="checkout is:unresolved" sort=date>',
        '<get_sentry_resource:https://shop.sentry.io/issues/WEB-4F2>',
        '<search_events:shop query="issue:WEB-4F2 level:error">',
        '<search_events:shop query="issue:WEB-4F2 release:2026.11.2">',
      ),
      ...from(
        'gitlab',
        '<list_commits:shop/web ref_name=main since=2026-11-22T00:00:00Z>',
        '<get_commit_diff:shop/web sha=9f2c41d0>',
        '<get_commit_diff:shop/web sha=7ab3e685>',
        '<create_issue:shop/web title="Checkout fails without a postcode" description="Since 9f2c41d0; see WEB-4F2.">',
      ),
      ...from('sentry', '<update_issue:shop issueId=WEB-4F2 status=resolvedInNextRelease>'),
    ],
  },
  {
    name: 'research into notes',
    prompt: 'What changed in SQLite this year that matters to us? Put a summary on the page "Databases" in Notion.',
    calls: [
      ...from(
        'tavily',
        '<tavily_search:SQLite release notes 2026 max_results=5>',
        '<tavily_extract:https://sqlite.org/changes.html>',
        '<tavily_search:SQLite 2026 WAL2 status>',
        '<tavily_extract:https://sqlite.org/releaselog/current.html>',
        '<tavily_search:SQLite JSONB migration experience>',
      ),
      ...from(
        'notion',
        '<API-post-search:Databases>',
        '<API-retrieve-page-markdown:1f0c6a52-3b1d-4c8e-9a77-52c1d0e4f6ab>',
        '<API-patch-block-children:1f0c6a52-3b1d-4c8e-9a77-52c1d0e4f6ab>{"children":[{"paragraph":{"rich_text":[{"text":{"content":"WAL2 is in."}}]}}]}</API-patch-block-children>',
        '<API-retrieve-page-markdown:1f0c6a52-3b1d-4c8e-9a77-52c1d0e4f6ab>',
      ),
    ],
  },
  {
    name: 'ship a fix',
    prompt: 'The fix is in the working copy. Commit it, push it, open a merge request and see that it can be merged.',
    calls: [
      ...from(
        'git-cyanheads',
        '<git_status:/srv/shop>',
        '<git_diff:/srv/shop>',
        '<git_diff:/srv/shop stat=true>',
        '<git_diff:/srv/shop staged=true>',
        '<git_add:/srv/shop all=true>',
        '<git_commit:fix: round prices once path=/srv/shop>',
        '<git_push:/srv/shop branch=round-once setUpstream=true>',
        '<git_status:/srv/shop>',
      ),
      ...from(
        'gitlab',
        '<create_merge_request:shop/web title="Round prices once" source_branch=round-once target_branch=main>',
        '<list_merge_request_pipelines:shop/web merge_request_iid=319>',
        '<list_merge_request_pipelines:shop/web merge_request_iid=319>',
        '<get_merge_request:shop/web merge_request_iid=319>',
      ),
      ...from(
        'git-cyanheads',
        '<git_diff:/srv/shop target=main>',
        '<git_add:/srv/shop all=true>',
        '<git_commit:test: round prices once path=/srv/shop>',
        '<git_push:/srv/shop branch=round-once>',
      ),
      ...from(
        'gitlab',
        '<list_merge_request_pipelines:shop/web merge_request_iid=319>',
        '<get_merge_request:shop/web merge_request_iid=319>',
        '<list_merge_request_pipelines:shop/web merge_request_iid=319>',
      ),
    ],
  },
  {
    name: 'tidy a table',
    prompt: 'The customers in Airtable have many duplicates. Find them, merge the records and note it in each.',
    calls: from(
      'airtable',
      '<list_bases:>',
      '<list_tables:appShop detailLevel=tableIdentifiersOnly>',
      '<describe_table:appShop tableId=tblCustomers>',
      '<list_records:appShop tableId=tblCustomers maxRecords=20>',
      '<search_records:appShop tableId=tblCustomers searchTerm=Meyer>',
      '<get_record:appShop tableId=tblCustomers recordId=rec1>',
      '<get_record:appShop tableId=tblCustomers recordId=rec2>',
      '<update_records:appShop tableId=tblCustomers>{"records":[{"id":"rec1","fields":{"Phone":"555-0101"}}]}</update_records>',
      '<create_comment:appShop tableId=tblCustomers recordId=rec1 text="Merged with rec2.">',
      '<search_records:appShop tableId=tblCustomers searchTerm=Schmidt>',
      '<get_record:appShop tableId=tblCustomers recordId=rec7>',
      '<get_record:appShop tableId=tblCustomers recordId=rec9>',
      '<update_records:appShop tableId=tblCustomers>{"records":[{"id":"rec7","fields":{"Phone":"555-0102"}}]}</update_records>',
      '<create_comment:appShop tableId=tblCustomers recordId=rec7 text="Merged with rec9.">',
      '<search_records:appShop tableId=tblCustomers searchTerm=Weber>',
      '<get_record:appShop tableId=tblCustomers recordId=rec12>',
      '<update_records:appShop tableId=tblCustomers>{"records":[{"id":"rec12","fields":{"Phone":"555-0103"}}]}</update_records>',
      '<create_comment:appShop tableId=tblCustomers recordId=rec12 text="Merged with rec15.">',
      '<list_records:appShop tableId=tblCustomers maxRecords=20>',
    ),
  },
  {
    name: 'bring a service back',
    prompt: 'The orders service restarts again and again. Find the cause, fix what you can and tell me what is left.',
    calls: [
      ...from(
        'kubernetes',
        '<kubectl_get:pods namespace=orders>',
        '<kubectl_describe:pod name=orders-7d9f namespace=orders>',
        '<kubectl_logs:pod name=orders-7d9f namespace=orders tail=50>',
        '<kubectl_logs:pod name=orders-7d9f namespace=orders previous=true tail=50>',
        '<kubectl_get:events namespace=orders>',
      ),
      ...from(
        'sentry',
        '<search_issues:shop query="orders is:unresolved">',
        '<search_events:shop query="service:orders">',
      ),
      ...from(
        'supabase',
        '<execute_sql:shop-db query="select distinct state from orders">',
        '<execute_sql:shop-db query="select count(*) from orders where state is null">',
        '<execute_sql:shop-db query="select id from orders where state is null limit 20">',
        '<apply_migration:shop-db name=orders_state query="update orders set state = \'new\' where state is null">',
        '<execute_sql:shop-db query="select count(*) from orders where state is null">',
      ),
      ...from(
        'kubernetes',
        '<kubectl_get:deployments namespace=orders>',
        '<kubectl_rollout:restart resourceType=deployment name=orders namespace=orders>',
        '<kubectl_get:pods namespace=orders>',
        '<kubectl_logs:pod name=orders-5c2a namespace=orders tail=50>',
        '<kubectl_get:events namespace=orders>',
      ),
      ...from(
        'sentry',
        '<search_events:shop query="service:orders">',
        '<search_issues:shop query="orders is:unresolved">',
      ),
    ],
  },
];

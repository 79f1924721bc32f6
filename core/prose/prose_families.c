/* Families of values: databases, linters, regions; the nouns that name one ("message broker"), and
 * what people do with its values ("linting"). A choice without a subject has the slot of its
 * family. Add a family as a row here, or in the config of a mirror; of nouns the longest stand
 * first.
 *
 * Of two families with one activity the one that has the value counts: "Prisma for migrations" is
 * an ORM, "Flyway for migrations" is not. A value may be of several families (Redis is a cache and
 * a database); the words around it decide. Cost: one lookup per word in a map of first words. */
#include "core/prose/prose_families.h"

/* clang-format off */
static const hm_family shipped[] = {
  { "api_style",
    "rest|restful|rest_api graphql grpc soap json_rpc xml_rpc odata trpc hateoas",
    "api style", "" },
  { "database",
    "postgres|postgresql|pg mysql mariadb sqlite|sqlite3 mongodb|mongo oracle sql_server|mssql "
    "cassandra dynamodb cockroachdb couchdb duckdb clickhouse neo4j firestore influxdb "
    "timescaledb scylladb snowflake bigquery elasticsearch redis planetscale supabase aurora "
    "redshift",
    "database engine|database|db|datastore", "" },
  { "cache_store",
    "redis memcached valkey varnish hazelcast dragonfly keydb caffeine ehcache infinispan",
    "cache store|cache backend|caching layer|cache", "caching" },
  { "message_broker",
    "kafka|apache_kafka rabbitmq|rabbit nats pulsar redpanda sqs|amazon_sqs activemq zeromq "
    "mosquitto redis_streams pub_sub celery sidekiq kinesis nsq dramatiq bullmq eventbridge "
    "resque hangfire emqx",
    "event bus|job queue|message broker|message queue|message bus|task queue|broker|queue",
    "background jobs|task queues|job queues|background tasks|messaging|queueing|queues" },
  { "linter",
    "ruff flake8 pylint eslint tslint golangci_lint clippy rubocop shellcheck stylelint biome "
    "clang_tidy cppcheck oxlint ktlint hadolint pycodestyle",
    "linter", "linting" },
  { "formatter",
    "black prettier gofmt rustfmt clang_format yapf autopep8 ruff biome dprint shfmt gofumpt",
    "code formatter|formatter", "code formatting|formatting" },
  { "package_manager",
    "npm pnpm yarn bun pip poetry uv pipenv conda cargo maven gradle bundler composer nuget "
    "homebrew|brew apt conan vcpkg pdm hatch",
    "package manager", "dependency management|package management|dependencies|packages" },
  { "language",
    "python typescript javascript go|golang rust java|jdk|openjdk kotlin swift ruby php elixir "
    "erlang scala "
    "haskell elm c c++ c# zig lua perl clojure dart julia r bash ocaml fortran cobol",
    "programming language|language", "" },
  { "framework",
    "react svelte|sveltekit vue|vue_js angular next_js nuxt remix astro solid_js preact ember "
    "django flask fastapi rails|ruby_on_rails laravel symfony spring|spring_boot "
    "express|express_js nestjs phoenix gin echo actix axum asp_net htmx qwik fastify starlette "
    "tornado electron tauri flutter react_native",
    "frontend framework|web framework|ui framework|framework", "" },
  { "test_runner",
    "pytest unittest jest vitest mocha junit rspec cypress playwright selenium nose testng "
    "cmocka gtest|googletest karma jasmine ava phpunit minitest catch2",
    "test suite runner|test framework|testing framework|test runner",
    "unit tests|unit testing|testing|tests" },
  { "ci_system",
    "jenkins github_actions gitlab_ci circleci travis|travis_ci buildkite teamcity drone "
    "azure_pipelines bamboo concourse tekton argo_workflows woodpecker bitbucket_pipelines",
    "actions runner|ci system|ci server|ci provider|ci tool|ci platform|ci",
    "continuous integration|ci" },
  { "cloud_provider",
    "aws|amazon_web_services google_cloud|gcp azure|microsoft_azure digitalocean hetzner linode "
    "ovh cloudflare|cloudflare_pages oracle_cloud scaleway vultr alibaba_cloud heroku fly_io "
    "vercel netlify render|render_com railway",
    "cloud provider|cloud platform|cloud", "" },
  { "region",
    "eu_west_1 eu_west_2 eu_west_3 eu_central_1 eu_north_1 us_east_1 us_east_2 us_west_1 "
    "us_west_2 ap_south_1 ap_southeast_1 ap_southeast_2 ap_northeast_1 sa_east_1 ca_central_1 "
    "europe_west1 europe_west4 us_central1 us_east1 westeurope northeurope eastus westus2 nbg1 "
    "fsn1 fra1 ams3 nyc3",
    "deploy region|deployment region|aws region|cloud region|region", "" },
  { "operating_system",
    "linux macos|mac_os windows ubuntu debian fedora alpine|alpine_linux centos rhel "
    "arch|arch_linux freebsd openbsd nixos android ios rocky_linux amazon_linux chromeos opensuse",
    "operating system|os", "" },
  { "web_server",
    "nginx caddy apache|apache_httpd|httpd traefik haproxy envoy lighttpd iis gunicorn uvicorn "
    "tomcat puma jetty",
    "web server|reverse proxy", "" },
  { "orchestrator",
    "kubernetes|k8s nomad docker_swarm ecs openshift mesos docker_compose eks gke aks k3s fargate",
    "container orchestrator|orchestrator", "orchestration" },
  { "auth_method",
    "jwt|jwts oauth|oauth2|oauth_2_0 saml oidc basic_auth api_keys session_cookies mtls ldap "
    "kerberos passkeys webauthn magic_links",
    "authentication method|auth method", "" },
  { "authentication_provider",
    "keycloak auth0 okta cognito firebase_auth clerk authentik authelia ory opa entra_id "
    "ping_identity workos",
    "authentication provider|auth provider", "auth|authentication|login" },
  { "data_format",
    "json xml yaml csv protobuf|protocol_buffers avro msgpack|messagepack toml parquet "
    "ndjson|json_lines thrift cbor bson tsv html markdown pdf arrow orc ini edl",
    "data format|message format|serialization format|serialisation format|wire format",
    "serialization" },
  { "file_format",
    "png jpeg|jpg gif webp svg tiff avif mp4 webm mp3 wav pdf docx zip heic bmp flac",
    "file format", "" },
  { "license",
    "mit|mit_license apache_2_0|apache_2|apache_license_2_0 gpl gpl_3_0|gplv3 gplv2|gpl_2_0 lgpl "
    "agpl agpl_3_0|agplv3 bsd bsd_3_clause bsd_2_clause mpl mpl_2_0 isc unlicense cc0 bsl "
    "proprietary eupl",
    "licence|license", "" },
  { "merge_strategy",
    "squash|squash_merge|squash_and_merge|squash_merges|squash_merging "
    "rebase|rebase_and_merge|rebasing|rebase_merge|rebase_merges|rebase_merging "
    "merge_commit|merge_commits fast_forward",
    "merge strategy|merge method", "" },
  { "branching_model",
    "trunk_based|trunk_based_development gitflow|git_flow github_flow release_branches "
    "feature_branches",
    "branching strategy|branching model", "branching" },
  { "editor",
    "vim emacs neovim|nvim vs_code|vscode|visual_studio_code intellij|intellij_idea pycharm "
    "sublime_text nano zed helix cursor xcode webstorm goland android_studio",
    "editor|ide", "" },
  { "logging",
    "loki elasticsearch splunk cloudwatch graylog papertrail fluentd logstash datadog syslog "
    "structlog logback log4j fluent_bit filebeat promtail rsyslog winston pino serilog zap "
    "opensearch",
    "logging backend|logging stack|log shipper", "log shipping|log aggregation|logging|logs" },
  { "monitoring",
    "prometheus datadog grafana kibana rollbar bugsnag new_relic nagios zabbix cloudwatch sentry "
    "influxdb graphite "
    "honeycomb dynatrace victoriametrics statsd checkmk",
    "monitoring tool|monitoring system|monitoring stack",
    "error tracking|alerting|metrics|monitoring" },
  { "bundler",
    "webpack vite rollup esbuild parcel turbopack rspack snowpack browserify",
    "bundler", "bundling" },
  { "orm",
    "sqlalchemy django_orm prisma typeorm sequelize hibernate active_record|activerecord drizzle "
    "gorm peewee entity_framework diesel ecto doctrine mikroorm tortoise jooq",
    "orm", "migrations" },
  { "material",
    "peek ptfe gf_ptfe invar|invar_36 super_invar zerodur aluminium|aluminum steel "
    "stainless_steel titanium brass carbon_fiber|carbon_fibre|cfrp abs pla petg nylon delrin|pom "
    "fused_silica borosilicate ule copper sic|silicon_carbide kevlar granite quartz bronze "
    "polycarbonate teflon viton plywood oak fr4 pvc acrylic|pmma sapphire kapton macor bk7|n_bk7 "
    "tungsten molybdenum beryllium 6061_t6|6061 7075_t6|7075 304_stainless_steel "
    "316l|316l_stainless_steel plexiglass linoleum walnut bamboo",
    "material", "" },
  { "infrastructure_tool",
    "terraform pulumi ansible cloudformation chef puppet saltstack opentofu cdk|aws_cdk helm "
    "crossplane bicep",
    "infrastructure tool|iac tool", "infrastructure as code|iac|infrastructure|provisioning" },
  { "quote_style", "single_quotes|single_quote double_quotes|double_quote backticks",
    "quote style|quotes style|quotation marks", "quoting" },
  { "indentation",
    "tabs spaces 2_spaces|two_spaces|2_space|two_space 4_spaces|four_spaces|4_space|four_space",
    "indent style|indentation style|indentation", "indentation|indenting" },
  { "time_zone",
    "utc gmt local_time cet est pst cest pdt edt europe_berlin america_new_york",
    "time zone|timezone", "" },
  { "email_provider",
    "ses|amazon_ses|aws_ses mailgun sendgrid postmark mailchimp sparkpost brevo resend twilio "
    "vonage messagebird",
    "email provider", "emails|email" },
  { "secret_store",
    "vault|hashicorp_vault aws_secrets_manager|secrets_manager 1password sops doppler "
    "azure_key_vault|key_vault bitwarden kms infisical",
    "secret store|secrets manager", "secret management|secrets management|secrets" },
  { "object_store",
    "s3|amazon_s3 gcs|google_cloud_storage minio azure_blob_storage|blob_storage "
    "r2|cloudflare_r2 ceph backblaze|backblaze_b2",
    "object store|object storage", "" },
  { "payment_provider",
    "stripe adyen paypal braintree square mollie klarna paddle razorpay",
    "payment provider|payment processor", "payments" },
  { "version_control",
    "git mercurial svn|subversion perforce jujutsu",
    "version control system", "source control|version control" },
  { "code_host",
    "github gitlab bitbucket gitea codeberg forgejo azure_devops sourcehut",
    "code host", "" },
  { "issue_tracker",
    "jira linear trello asana youtrack redmine github_issues bugzilla shortcut clickup",
    "bug tracker|issue tracker", "issue tracking" },
  { "docs_tool",
    "sphinx mkdocs docusaurus hugo jekyll doxygen gitbook vitepress asciidoctor mdbook",
    "docs tool", "documentation|docs" },
  { "search_engine",
    "elasticsearch opensearch solr algolia meilisearch typesense lucene tantivy",
    "search engine|search backend", "search" },
  { "compression", "gzip zstd|zstandard brotli lz4 snappy xz bzip2 deflate", "", "compression" },
  { "hash_algorithm",
    "bcrypt argon2|argon2id scrypt sha_256|sha256 md5 sha_1|sha1 pbkdf2 blake3 sha_512|sha512",
    "algorithm hash|hash algorithm|hashing algorithm", "password hashing|hashing" },
  { "state_library",
    "redux zustand mobx pinia vuex recoil jotai xstate",
    "state library", "state management" },
  { "style_library",
    "tailwind|tailwind_css|tailwindcss bootstrap bulma material_ui|mui chakra_ui "
    "styled_components sass emotion",
    "css framework|css library", "styling" },
  { "runtime", "node|node_js|nodejs deno bun jvm cpython pypy graalvm", "runtime", "" },
  { "container_runtime",
    "docker podman containerd lxc cri_o buildah",
    "container runtime", "containers" },
  { "compiler", "gcc clang msvc tsc icc javac rustc tcc swc babel", "compiler", "" },
  { "build_tool",
    "make cmake bazel meson ninja gradle maven scons buck buck2 pants earthly nx turborepo sbt "
    "just",
    "build tool|build system", "builds|building" },
  { "feature_flags",
    "launchdarkly unleash flagsmith split_io flipt growthbook",
    "feature flag service", "feature flags" },
  { "type_checker",
    "mypy pyright pyre flow pytype",
    "type checking tool|type checker", "type checking|type checks" },
  { "migration_tool",
    "alembic flyway liquibase dbmate golang_migrate sqitch knex",
    "migration tool", "database migrations|schema migrations|migrations" },
  { "deploy_tool",
    "argocd|argo_cd fluxcd|flux_cd spinnaker capistrano octopus_deploy kamal skaffold",
    "deploy tool|deployment tool|cd tool", "deployments|deployment|deploys" },
  { "workflow_engine",
    "airflow|apache_airflow temporal dagster prefect luigi n8n camunda",
    "workflow engine|workflow orchestrator", "workflows" },
  { "container_registry",
    "ghcr|ghcr_io ecr|amazon_ecr docker_hub|dockerhub gcr|gcr_io quay|quay_io artifact_registry",
    "container registry|image registry|docker registry", "" },
  { "vector_store",
    "pinecone qdrant weaviate milvus chromadb pgvector faiss lancedb vespa",
    "vector store|vector database|vector db", "vector search" },
  { "tracing", "jaeger zipkin opentelemetry|otel x_ray", "tracing backend", "tracing" },
  { "analytics",
    "posthog mixpanel google_analytics matomo snowplow",
    "analytics tool|analytics provider", "product analytics|analytics" },
  { "vpn", "wireguard openvpn tailscale zerotier ipsec", "vpn server|vpn provider|vpn", "" },
  { "dns_provider",
    "route_53|route53|aws_route_53 dnsimple ns1 cloud_dns dnsmasq",
    "dns provider", "dns" },
  { "certificate_authority",
    "let_s_encrypt|letsencrypt|lets_encrypt digicert sectigo globalsign zerossl",
    "certificate authority", "" },
  { "cdn",
    "fastly akamai cloudfront|amazon_cloudfront cloudflare bunny_net keycdn",
    "cdn provider|cdn", "" },
  { "ml_framework",
    "pytorch tensorflow jax keras mxnet scikit_learn|sklearn",
    "deep learning framework|ml framework|training framework", "" },
  { "cad_tool",
    "solidworks fusion_360 kicad altium|altium_designer freecad onshape autocad catia",
    "cad tool|cad software|cad package", "cad" },
  { "versioning",
    "semver|semantic_versioning calver|calendar_versioning",
    "versioning scheme", "versioning" },
};
/* clang-format on */

static const hm_families all = { shipped, HM_COUNT(shipped), NULL };

const hm_families *hm_families_shipped(void) { return &all; }

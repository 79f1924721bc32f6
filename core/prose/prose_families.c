/* Families of values: databases, linters, regions. A choice without a subject has the slot of its
 * family. Add a family as a row here, or in the config of a mirror.
 *
 * A value may be of several families (Redis is a cache and a database); the words around it decide.
 * Cost: one lookup per word in a map of first words. */
#include "core/prose/prose_families.h"

/* clang-format off */
static const hm_family shipped[] = {
  { "api_style", "rest|restful|rest_api graphql grpc soap json_rpc xml_rpc odata trpc hateoas" },
  { "database",
    "postgres|postgresql|pg mysql mariadb sqlite|sqlite3 mongodb|mongo oracle sql_server|mssql "
    "cassandra dynamodb cockroachdb couchdb duckdb clickhouse neo4j firestore influxdb "
    "timescaledb scylladb snowflake bigquery elasticsearch redis planetscale supabase aurora "
    "redshift" },
  { "cache_store",
    "redis memcached valkey varnish hazelcast dragonfly keydb caffeine ehcache infinispan" },
  { "message_broker",
    "kafka|apache_kafka rabbitmq|rabbit nats pulsar redpanda sqs|amazon_sqs activemq zeromq "
    "mosquitto redis_streams pub_sub celery sidekiq kinesis nsq dramatiq bullmq eventbridge "
    "resque hangfire emqx" },
  { "linter",
    "ruff flake8 pylint eslint tslint golangci_lint clippy rubocop shellcheck stylelint biome "
    "clang_tidy cppcheck oxlint ktlint hadolint pycodestyle" },
  { "formatter",
    "black prettier gofmt rustfmt clang_format yapf autopep8 ruff biome dprint shfmt gofumpt" },
  { "package_manager",
    "npm pnpm yarn bun pip poetry uv pipenv conda cargo maven gradle bundler composer nuget "
    "homebrew|brew apt conan vcpkg pdm hatch" },
  { "language",
    "python typescript javascript go|golang rust java kotlin swift ruby php elixir erlang scala "
    "haskell elm c c++ c# zig lua perl clojure dart julia r bash ocaml fortran cobol" },
  { "framework",
    "react svelte|sveltekit vue|vue_js angular next_js nuxt remix astro solid_js preact ember "
    "django flask fastapi rails|ruby_on_rails laravel symfony spring|spring_boot "
    "express|express_js nestjs phoenix gin echo actix axum asp_net htmx qwik fastify starlette "
    "tornado electron tauri flutter react_native" },
  { "test_runner",
    "pytest unittest jest vitest mocha junit rspec cypress playwright selenium nose testng "
    "cmocka gtest|googletest karma jasmine ava phpunit minitest catch2" },
  { "ci_system",
    "jenkins github_actions gitlab_ci circleci travis|travis_ci buildkite teamcity drone "
    "azure_pipelines bamboo concourse tekton argo_workflows woodpecker bitbucket_pipelines" },
  { "cloud_provider",
    "aws|amazon_web_services google_cloud|gcp azure|microsoft_azure digitalocean hetzner linode "
    "ovh cloudflare oracle_cloud scaleway vultr alibaba_cloud heroku fly_io vercel netlify "
    "render railway" },
  { "region",
    "eu_west_1 eu_west_2 eu_west_3 eu_central_1 eu_north_1 us_east_1 us_east_2 us_west_1 "
    "us_west_2 ap_south_1 ap_southeast_1 ap_southeast_2 ap_northeast_1 sa_east_1 ca_central_1 "
    "europe_west1 europe_west4 us_central1 us_east1 westeurope northeurope eastus westus2 nbg1 "
    "fsn1 fra1 ams3 nyc3" },
  { "operating_system",
    "linux macos|mac_os windows ubuntu debian fedora alpine|alpine_linux centos rhel "
    "arch|arch_linux freebsd openbsd nixos android ios rocky_linux amazon_linux chromeos "
    "opensuse" },
  { "web_server",
    "nginx caddy apache|apache_httpd|httpd traefik haproxy envoy lighttpd iis gunicorn uvicorn "
    "tomcat puma jetty" },
  { "orchestrator",
    "kubernetes|k8s nomad docker_swarm ecs openshift mesos docker_compose eks gke aks k3s "
    "fargate" },
  { "auth_method",
    "jwt|jwts oauth|oauth2|oauth_2_0 saml oidc basic_auth api_keys session_cookies mtls ldap "
    "kerberos passkeys webauthn magic_links" },
  { "authentication_provider",
    "keycloak auth0 okta cognito firebase_auth clerk authentik authelia ory opa entra_id "
    "ping_identity workos" },
  { "data_format",
    "json xml yaml csv protobuf|protocol_buffers avro msgpack|messagepack toml parquet "
    "ndjson|json_lines thrift cbor bson tsv html markdown pdf arrow orc ini edl" },
  { "file_format",
    "png jpeg|jpg gif webp svg tiff avif mp4 webm mp3 wav pdf docx zip heic bmp flac" },
  { "license",
    "mit|mit_license apache_2_0|apache_2|apache_license_2_0 gpl|gpl_3_0|gplv3 gplv2|gpl_2_0 lgpl "
    "agpl|agpl_3_0|agplv3 bsd bsd_3_clause bsd_2_clause mpl|mpl_2_0 isc unlicense cc0 bsl "
    "proprietary eupl" },
  { "merge_strategy",
    "squash|squash_merge|squash_and_merge|squash_merges|squash_merging "
    "rebase|rebase_and_merge|rebasing|rebase_merge|rebase_merges|rebase_merging "
    "merge_commit|merge_commits fast_forward" },
  { "branching_model",
    "trunk_based|trunk_based_development gitflow|git_flow github_flow release_branches "
    "feature_branches" },
  { "editor",
    "vim emacs neovim|nvim vs_code|vscode|visual_studio_code intellij|intellij_idea pycharm "
    "sublime_text nano zed helix cursor xcode webstorm goland android_studio" },
  { "logging",
    "loki elasticsearch splunk cloudwatch graylog papertrail fluentd logstash datadog syslog "
    "structlog logback log4j fluent_bit filebeat promtail rsyslog winston pino serilog zap "
    "opensearch" },
  { "monitoring",
    "prometheus datadog grafana new_relic nagios zabbix cloudwatch sentry influxdb graphite "
    "honeycomb dynatrace victoriametrics statsd checkmk" },
  { "bundler", "webpack vite rollup esbuild parcel turbopack rspack snowpack browserify" },
  { "orm",
    "sqlalchemy django_orm prisma typeorm sequelize hibernate active_record|activerecord drizzle "
    "gorm peewee entity_framework diesel ecto doctrine mikroorm tortoise jooq" },
  { "material",
    "peek ptfe gf_ptfe invar|invar_36 super_invar zerodur aluminium|aluminum steel "
    "stainless_steel titanium brass carbon_fiber|carbon_fibre|cfrp abs pla petg nylon delrin|pom "
    "fused_silica borosilicate ule copper sic|silicon_carbide kevlar granite quartz bronze "
    "polycarbonate teflon viton plywood oak fr4 pvc acrylic|pmma sapphire kapton macor bk7|n_bk7 "
    "tungsten molybdenum beryllium 6061_t6|6061 7075_t6|7075 304_stainless_steel "
    "316l|316l_stainless_steel plexiglass linoleum walnut bamboo" },
  { "infrastructure_tool",
    "terraform pulumi ansible cloudformation chef puppet saltstack opentofu cdk|aws_cdk helm "
    "crossplane bicep" },
  { "indentation",
    "tabs spaces 2_spaces|two_spaces|2_space|two_space 4_spaces|four_spaces|4_space|four_space" },
  { "time_zone", "utc gmt local_time cet est pst cest pdt edt europe_berlin america_new_york" },
  { "email_provider",
    "ses|amazon_ses|aws_ses mailgun sendgrid postmark mailchimp sparkpost brevo resend twilio "
    "vonage messagebird" },
  { "secret_store",
    "vault|hashicorp_vault aws_secrets_manager|secrets_manager 1password sops doppler "
    "azure_key_vault|key_vault bitwarden kms infisical" },
  { "object_store",
    "s3|amazon_s3 gcs|google_cloud_storage minio azure_blob_storage|blob_storage "
    "r2|cloudflare_r2 ceph backblaze|b2" },
  { "payment_provider", "stripe adyen paypal braintree square mollie klarna paddle razorpay" },
  { "version_control", "git mercurial svn|subversion perforce jujutsu" },
  { "code_host", "github gitlab bitbucket gitea codeberg forgejo azure_devops sourcehut" },
  { "issue_tracker",
    "jira linear trello asana youtrack redmine github_issues bugzilla shortcut clickup" },
  { "docs_tool",
    "sphinx mkdocs docusaurus hugo jekyll doxygen gitbook vitepress asciidoctor mdbook" },
  { "search_engine",
    "elasticsearch opensearch solr algolia meilisearch typesense lucene tantivy" },
  { "compression", "gzip zstd|zstandard brotli lz4 snappy xz bzip2 deflate" },
  { "hash_algorithm",
    "bcrypt argon2|argon2id scrypt sha_256|sha256 md5 sha_1|sha1 pbkdf2 blake3 sha_512|sha512" },
  { "state_library", "redux zustand mobx pinia vuex recoil jotai xstate" },
  { "style_library",
    "tailwind|tailwind_css|tailwindcss bootstrap bulma material_ui|mui chakra_ui "
    "styled_components sass emotion" },
  { "runtime", "node|node_js|nodejs deno bun jvm cpython pypy graalvm" },
  { "container_runtime", "docker podman containerd lxc cri_o buildah" },
  { "compiler", "gcc clang msvc tsc icc javac rustc tcc swc babel" },
  { "build_tool",
    "make cmake bazel meson ninja gradle maven scons buck buck2 pants earthly nx turborepo sbt "
    "just" },
  { "feature_flags", "launchdarkly unleash flagsmith split_io flipt growthbook" },
  { "type_checker", "mypy pyright pyre flow pytype" },
  { "migration_tool", "alembic flyway liquibase dbmate golang_migrate sqitch knex" },
  { "deploy_tool",
    "argocd|argo_cd fluxcd|flux_cd spinnaker capistrano octopus_deploy kamal skaffold" },
  { "workflow_engine", "airflow|apache_airflow temporal dagster prefect luigi n8n camunda" },
  { "container_registry",
    "ghcr|ghcr_io ecr|amazon_ecr docker_hub|dockerhub gcr|gcr_io quay|quay_io artifact_registry" },
  { "vector_store", "pinecone qdrant weaviate milvus chromadb pgvector faiss lancedb vespa" },
  { "tracing", "jaeger zipkin opentelemetry|otel x_ray" },
  { "analytics", "posthog mixpanel google_analytics matomo snowplow" },
  { "vpn", "wireguard openvpn tailscale zerotier ipsec" },
  { "dns_provider", "route_53|route53|aws_route_53 dnsimple ns1 cloud_dns dnsmasq" },
  { "certificate_authority",
    "let_s_encrypt|letsencrypt|lets_encrypt digicert sectigo globalsign zerossl" },
  { "cdn", "fastly akamai cloudfront|amazon_cloudfront cloudflare bunny_net keycdn" },
  { "ml_framework", "pytorch tensorflow jax keras mxnet scikit_learn|sklearn" },
  { "cad_tool",
    "solidworks fusion_360 kicad altium|altium_designer freecad onshape autocad catia" },
  { "versioning", "semver|semantic_versioning calver|calendar_versioning" },
};
/* clang-format on */

static const hm_families all = { shipped, HM_COUNT(shipped), NULL };

const hm_families *hm_families_shipped(void) { return &all; }
